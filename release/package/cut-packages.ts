import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { installed, TARGET } from './folders.ts'

/**
 * Packages whose code loads files by their path, mostly WebAssembly, and the files of each that the service loads. The
 * package carries these alone, in its own node_modules: the whole packages are three times as large, and pull in others
 * that the service never loads. They stay files of their own, so that they can be replaced.
 */
export const CUT: Record<string, string[]> = {
  draco3dgltf: ['draco3dgltf.js', 'draco_{de,en}coder_gltf_nodejs.js', 'draco_decoder_gltf.wasm'],
  'gdal3.js': ['build/package/gdal3WebAssembly.js', 'dist/package/gdal3WebAssembly.{wasm,data}'],
  'libheif-js': ['libheif-wasm/libheif.{js,wasm}'],
  'proj-wasm': ['dist/proj.mjs', 'dist/proj-emscripten.{js,wasm}', 'dist/proj.db'],
  three: ['examples/jsm/libs/basis/*'],
}
/** Large files that the service unpacks as it loads them, see server/modules/gdal/library-file.ts. */
const COMPRESSED = /gdal3WebAssembly\.(wasm|data)$/
const ALWAYS = ['{LICENSE,LICENCE,COPYING,NOTICE,README}*', '**/libheif-wasm/LICENSE']

/** Copies what the service loads of these packages. */
export async function cutPackages(): Promise<void> {
  for (const [name, files] of Object.entries(CUT)) {
    const from = installed(name)
    const to = join(TARGET, 'node_modules', name)
    for await (const file of glob([...files, ...ALWAYS], { cwd: from, exclude: ['**/node_modules/**'] })) {
      await mkdir(dirname(join(to, file)), { recursive: true })
      if (COMPRESSED.test(file)) await writeFile(join(to, `${file}.zst`), await compressed(join(from, file)))
      else await cp(join(from, file), join(to, file))
    }
    const {
      scripts,
      files: _,
      dependencies,
      devDependencies,
      ...manifest
    } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'))
    await writeFile(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

const compressed = async (file: string): Promise<Buffer> =>
  promisify(zstdCompress)(await readFile(file), { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
