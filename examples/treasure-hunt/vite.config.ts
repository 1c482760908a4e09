import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Uses the SDK's sources from this repository. A game that installs the package does not need this.
  resolve: { conditions: ['cairn-source', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: { chunkSizeWarningLimit: 1500, rolldownOptions: { checks: { pluginTimings: false } } },
})
