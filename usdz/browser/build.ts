import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { withoutEval } from '../../web/without-eval.ts'

const page = (file: string) => fileURLToPath(new URL(`page/${file}.ts`, import.meta.url))

/** The files that need Node, or a library that does, and what replaces them. */
const replaced: [name: RegExp, by: string][] = [
  [/^node:zlib$/, 'zlib'],
  [/^node:crypto$/, 'crypto'],
  [/\/codec\.ts$/, 'codec'],
  [/\/basis-module\.ts$/, 'basis-module'],
  [/\/draco-decoder\.ts$/, 'draco-decoder'],
]

/** Makes a module of the script of the transcoder, which declares a variable and makes code of text. */
const transcoder: Plugin = {
  name: 'transcoder',
  transform(code, id) {
    if (!/basis_transcoder\.js$/.test(id)) return undefined
    const script = withoutEval(code).replace(/if \(typeof exports === 'object'.*$/s, 'export default BASIS')
    return { code: script, map: null }
  },
}

/**
 * Builds the library for browsers: one module, and WebAssembly beside it, which is loaded when a model needs it.
 * @param folder what it has before is deleted.
 * @returns the files that it is made of.
 */
export async function buildForBrowsers(folder: string): Promise<string[]> {
  const made = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    base: './',
    // Branches for Node are in some libraries, and left alone by browsers.
    logLevel: 'error',
    plugins: [transcoder],
    resolve: {
      alias: replaced.map(([find, by]) => ({
        find: new RegExp(`^.*${find.source.replace(/^\^/, '')}`),
        replacement: page(by),
      })),
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('../index.ts', import.meta.url)),
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: 'index.js',
          chunkFileNames: '[name].js',
          assetFileNames: '[name][extname]',
          // Changed files say so.
          comments: { legal: true },
        },
      },
    },
  })
  const { output } = made as Rolldown.RolldownOutput
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

if (import.meta.main) await buildForBrowsers(fileURLToPath(new URL('../dist/browser', import.meta.url)))
