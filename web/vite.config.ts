import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { decoders } from './decoders.ts'

/** The console, below /console of the service. What is common to all pages is one chunk; each page, the map and the model viewer come when they are opened. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), decoders()],
  // The SDK from its sources, beside this folder.
  // One three, that of the model viewer: a package it brings would else come with another.
  resolve: { conditions: ['cairn-source', ...defaultClientConditions], dedupe: ['three'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // A strict policy takes no data addresses for fonts and scripts.
    assetsInlineLimit: 0,
    // The map and the model viewer are large, and come alone.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What several pages have in common is one piece, not forty: each piece is a request, with headers as large as it.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'common',
              test: /[\\/](web[\\/]src[\\/](components|session|shell|theme)|@tabler)[\\/]/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
