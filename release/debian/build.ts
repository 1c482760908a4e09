import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { cpuOf, DEBIAN_ARCHITECTURES } from '../archive/machines.ts'
import { releaseTime, writeChecksum } from '../archive/tarball.ts'
import { buildTree } from '../archive/tree.ts'
import { ROOT, TARGET } from '../package/folders.ts'

const FILES = join(ROOT, 'release/debian/files')
/** Where the files of the package go: from, to, mode. */
const PLACES: [string, string, number][] = [
  [join(FILES, 'cairn'), 'usr/bin/cairn', 0o755],
  [join(FILES, 'cairn.service'), 'lib/systemd/system/cairn.service', 0o644],
  [join(FILES, 'cairn.env'), 'etc/cairn/cairn.env', 0o640],
  [join(FILES, 'preinst'), 'DEBIAN/preinst', 0o755],
  [join(FILES, 'postinst'), 'DEBIAN/postinst', 0o755],
  [join(FILES, 'prerm'), 'DEBIAN/prerm', 0o755],
  [join(FILES, 'postrm'), 'DEBIAN/postrm', 0o755],
  ...['backups', 'deploy', 'operations', 'upgrades'].map((page): [string, string, number] => [
    join(ROOT, `docs/${page}.md`),
    `usr/share/doc/cairn-server/${page}.md`,
    0o644,
  ]),
  [join(ROOT, 'LICENSE'), 'usr/share/doc/cairn-server/copyright', 0o644],
]

/**
 * Builds dist/cairn-server_<version>_<architecture>.deb and its checksum from the npm package in dist/package, with Node
 * inside: `npm run debian [-- --cpu arm64]`. Needs dpkg-deb.
 */
async function build(): Promise<void> {
  const { values } = parseArgs({
    options: { cpu: { type: 'string', default: process.arch }, version: { type: 'string' } },
  })
  const cpu = cpuOf(values.cpu)
  if (!existsSync(TARGET)) throw new Error('dist/package is missing: run npm run package first')
  const version = values.version ?? JSON.parse(await readFile(join(TARGET, 'package.json'), 'utf8')).version
  const architecture = DEBIAN_ARCHITECTURES[cpu]
  const file = join(ROOT, 'dist', `cairn-server_${version}_${architecture}.deb`)
  const root = await mkdtemp(join(tmpdir(), 'cairn-debian-'))
  try {
    await chmod(root, 0o755)
    await mkdir(join(root, 'usr/lib'), { recursive: true })
    await buildTree(join(root, 'usr/lib/cairn'), cpu)
    for (const [from, to, mode] of PLACES) {
      await mkdir(dirname(join(root, to)), { recursive: true })
      await cp(from, join(root, to))
      await chmod(join(root, to), mode)
    }
    await writeFile(join(root, 'DEBIAN/conffiles'), '/etc/cairn/cairn.env\n')
    await writeFile(join(root, 'DEBIAN/control'), control(version, architecture, await kibibytes(root)))
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', root, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: releaseTime() },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await writeChecksum(file)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  console.log(file)
}

/** The control file. Node and PostgreSQL come along; the C libraries are those of Debian 10 or later. */
const control = (version: string, architecture: string, size: number) => `Package: cairn-server
Version: ${version}
Architecture: ${architecture}
Maintainer: Cairn <cairn@localhost>
Installed-Size: ${size}
Depends: adduser, libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1 | libgcc1, util-linux
Suggests: postgresql, redis-server
Section: net
Priority: optional
Description: service for games and content in real places
 Scores and exact rankings, files in AR formats, survey points and pins on a
 map, over one HTTP/JSON interface with a web console. Brings its own
 PostgreSQL, or uses yours.
`

/** The size of all files of a folder. */
async function kibibytes(folder: string): Promise<number> {
  let bytes = 0
  for (const { name, parentPath } of await readdir(folder, { recursive: true, withFileTypes: true }))
    bytes += (await lstat(join(parentPath, name))).size
  return Math.ceil(bytes / 1024)
}

await build()
