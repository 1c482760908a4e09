import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // The SDK from its sources, beside this folder. A game of your own installs the package and needs no such line.
  resolve: { conditions: ['cairn-source', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: { chunkSizeWarningLimit: 1500, rolldownOptions: { checks: { pluginTimings: false } } },
})
