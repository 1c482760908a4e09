import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { decoders } from './decoders.ts'

/** The build of the console, served under /console. Shared code is one chunk. Pages, the map and the model viewer load on demand. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), decoders()],
  // Use the SDK's sources, and one version of three, that of the model viewer.
  resolve: { conditions: ['cairn-source', ...defaultClientConditions], dedupe: ['three'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The content security policy does not allow data URLs for fonts and scripts.
    assetsInlineLimit: 0,
    // The service reads the name of the script of the AR page in it.
    manifest: 'manifest.json',
    // The map and the model viewer are large, and load separately.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries({
          index: 'index.html',
          'shared-map': 'shared-map.html',
          'model-page': 'src/model-page/main.ts',
        }).map(([name, file]) => [name, join(import.meta.dirname, file)]),
      ),
      checks: { pluginTimings: false },
      // One chunk for shared code instead of forty small ones saves requests.
      output: {
        codeSplitting: {
          groups: [
            // Nothing that reads texts may be loaded before they are; the de and es of these load on demand.
            {
              name: 'language',
              test: /[\\/]web[\\/]src[\\/](language[\\/]|messages[\\/](common|shell|en|(..[\\/])?index)\.ts)/,
              priority: 2,
            },
            // What the page of a shared map has in common with the console.
            {
              name: 'both',
              test: /[\\/]web[\\/]src[\\/](session[\\/](session-token|console-settings)|theme[\\/]tokens)|preload-helper/,
              priority: 1,
            },
            {
              name: 'common',
              test: /[\\/](web[\\/]src[\\/](components(?![\\/](basemap|model-viewer|feedback[\\/]confirm|query[\\/]search-list|data[\\/]json-editor))|session|shell|theme)|@tabler)[\\/]/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
