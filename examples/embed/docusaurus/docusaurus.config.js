/** @type {import('@docusaurus/types').Config} */
export default {
  title: 'A course',
  url: 'https://course.example',
  baseUrl: '/built/docusaurus/',
  onBrokenLinks: 'throw',
  scripts: [{ src: '/built/docusaurus/at-least-once.js', type: 'module' }],
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
};
