// @module-tag long
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { KHRTextureBasisu } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { gradient, ktx2 } from './content/ktx2.ts'
import { givenModel } from './content/models.ts'
import { deadLinks } from './dead-links.ts'

const run = promisify(execFile)
const usdz = fileURLToPath(new URL('../', import.meta.url))
const dependencies = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** What the build for browsers contains, with compiled parts and dependencies of dependencies. */
const parts = [
  '@gltf-transform/core',
  '@gltf-transform/extensions',
  'draco3dgltf',
  'fflate',
  'ktx-parse',
  'meshoptimizer',
  'property-graph',
  'three',
  'Basis Universal',
  'Zstandard',
]

/** A square with a texture whose decoder is a dependency. */
async function paintedSquare(): Promise<Uint8Array> {
  const model = givenModel()
  model.document.createExtension(KHRTextureBasisu).setRequired(true)
  const bytes = await ktx2(await gradient(8, 8, false), { isUASTC: true, generateMipmap: false })
  const texture = model.document.createTexture('stone').setImage(new Uint8Array(bytes)).setMimeType('image/ktx2')
  const material = model.document.createMaterial('Paint').setBaseColorTexture(texture)
  model.node('Square', model.mesh('Square', model.square(material)))
  return await model.glb()
}

test('the packed package converts as a command and as a library, without the sources', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'usdz-pack-'))
  try {
    await run('npm', ['pack', '--pack-destination', folder], { cwd: usdz })
    const [archive] = await readdir(folder)
    await run('tar', ['xzf', archive!], { cwd: folder })
    const files = await readdir(join(folder, 'package'), { recursive: true })
    for (const file of ['README.md', 'picture.webp', 'dist/browser/index.js', 'dist/browser/LICENSES.txt']) {
      expect(files).toContain(file)
    }
    const pages = files.filter((file) => file.endsWith('.md'))
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'features.md']))
    for (const page of pages) {
      // In the package, and where it is in the repository.
      expect(deadLinks(join(folder, 'package', page))).toEqual([])
      expect(deadLinks(join(usdz, page))).toEqual([])
    }

    // The transcoder is in the package, so that it does not need three.js.
    expect(files).toContain('dist/textures/images/basis/basis_transcoder.wasm')
    const textOf = (file: string) => readFile(join(folder, 'package/dist', file), 'utf8')
    const licenses = await textOf('browser/LICENSES.txt')
    for (const name of [...parts, 'Apache License\n']) expect(licenses).toContain(name)
    expect(await textOf('textures/images/basis/LICENSES.txt')).toMatch(/Binomial LLC.*Zstandard/s)
    for (const place of ['browser', 'textures/images/basis'])
      expect(await textOf(`${place}/basis_transcoder.js`)).toContain('Changed by Cairn')
    const { dependencies: needed } = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'))
    expect(Object.keys(needed)).not.toContain('three')
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([])

    // Dependencies that an installation would download are already here.
    await symlink(dependencies, join(folder, 'node_modules'))
    await writeFile(join(folder, 'in.glb'), await paintedSquare())
    await run(process.execPath, ['package/dist/cli.js', 'convert', 'in.glb', 'out.usdz'], { cwd: folder })
    expect((await readFile(join(folder, 'out.usdz'))).subarray(0, 2).toString()).toBe('PK')
    const checked = await run(process.execPath, ['package/dist/cli.js', 'check', 'out.usdz'], { cwd: folder })
    expect(checked.stdout).toMatch(/rules, all passed/)

    const { stdout: version } = await run(process.execPath, ['package/dist/cli.js', '--version'], { cwd: folder })
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)

    const library = `
      const { convert, checkGlb } = await import('./package/dist/index.js')
      const glb = require('node:fs').readFileSync('in.glb')
      const { triangles, textures } = (await convert(glb)).report
      console.log(checkGlb(glb).ok, triangles, textures)`
    const { stdout } = await run(process.execPath, ['-e', `(async () => {${library}})()`], { cwd: folder })
    expect(stdout).toBe('true 2 1\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
