import { rolldown } from 'rolldown'
import { CUT } from './cut-packages.ts'
import { ROOT, TARGET } from './folders.ts'
import { INSTALLED } from './manifest.ts'
import { PROGRAMS } from './programs.ts'

/**
 * Bundles each program to a file of the same path, and what they share to `chunks/`. @returns the paths of all modules
 * that went in
 */
export async function bundlePrograms(): Promise<{ modules: string[] }> {
  const separate = [...INSTALLED, ...Object.keys(CUT)]
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((path) => [path, `${path}.ts`])),
    platform: 'node',
    external: [
      ...separate.map((name) => new RegExp(`^${name}(/|$)`)),
      // pg takes it if it is there.
      'pg-native',
    ],
    onLog(level, log) {
      // "depd" evaluates a function of its own making where it wraps one.
      if (log.code === 'EVAL') return
      throw new Error(`${level}: ${log.message}`)
    },
  })
  const { output } = await bundle.write({
    dir: TARGET,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names stay for the stacks in the log, and for classes that are known by theirs.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    keepNames: true,
    comments: { legal: false },
  })
  await bundle.close()
  return { modules: output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])) }
}
