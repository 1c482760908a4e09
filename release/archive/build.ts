import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installed, ROOT, TARGET } from '../package/folders.ts'

/**
 * Packs dist/package with the packages it needs and the pinned Node into an archive for machines like this one: `npm
 * run package`, then `node release/archive/build.ts`. Unpack it anywhere and run `./cairn`.
 */
async function build(): Promise<void> {
  const dist = join(ROOT, 'dist')
  const { version } = JSON.parse(await readFile(join(TARGET, 'package.json'), 'utf8'))
  const name = `cairn-${version}-${process.platform}-${process.arch}`
  const folder = join(dist, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'bin'), { recursive: true })
  const packed = execFileSync('npm', ['pack', TARGET, '--json', '--pack-destination', dist], { encoding: 'utf8' })
  const tarball = join(dist, JSON.parse(packed)[0].filename)
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund']
  execFileSync('npm', [...install, tarball], { stdio: 'inherit' })
  await rm(join(folder, 'node_modules', '.bin'), { recursive: true, force: true })
  await cp(process.execPath, join(folder, 'bin', 'node'))
  const license = `node_modules/node-${process.platform}-${process.arch}/LICENSE`
  await cp(join(installed('node'), license), join(folder, 'bin', 'LICENSE-node'))
  await cp(join(import.meta.dirname, 'cairn.sh'), join(folder, 'cairn'))
  await chmod(join(folder, 'cairn'), 0o755)
  execFileSync('tar', ['-czf', `${folder}.tar.gz`, '--owner=0', '--group=0', '-C', dist, name])
  await rm(folder, { recursive: true })
  console.log(`${folder}.tar.gz`)
}

await build()
