import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const isLab = (/** @type {string} */ tag) => tag === 'at-least-once';

export default defineConfig({
  base: './',
  plugins: [vue({ template: { compilerOptions: { isCustomElement: isLab } } }), svelte()],
  esbuild: { jsx: 'automatic' },
  build: { rollupOptions: { input: ['react.html', 'vue.html', 'svelte.html'] } },
});
