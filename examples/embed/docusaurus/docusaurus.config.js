/** @type {import('@docusaurus/types').Config} */
export default {
  title: 'A course',
  url: 'https://course.example',
  baseUrl: '/built/docusaurus/',
  onBrokenLinks: 'throw',
  headTags: [{ tagName: 'link', attributes: { rel: 'icon', href: 'data:,' } }],
  scripts: [{ src: '/built/docusaurus/at-least-once.js', type: 'module' }],
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
};
