import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The Debian packages of a program, by the path of the installed file. */
const PACKAGES: Record<string, string[]> = {
  '/usr/lib/postgresql/15/bin/initdb': ['postgresql-15'],
  '/usr/share/postgresql/15/extension/postgis.control': ['postgresql-15', 'postgresql-15-postgis-3'],
  '/usr/bin/chromium': ['chromium'],
  '/usr/bin/ogrinfo': ['gdal-bin'],
  '/usr/lib/python3/dist-packages/qgis/core': ['qgis-providers', 'python3-qgis'],
  '/usr/bin/cs2cs': ['proj-bin'],
  '/usr/share/doc/python3-apriltag': ['python3-apriltag'],
  '/usr/bin/curl': ['curl'],
  '/usr/bin/jq': ['jq'],
  '/usr/bin/pdftoppm': ['poppler-utils'],
  '/usr/share/proj/BETA2007.gsb': ['proj-data'],
  '/usr/bin/radosgw': ['radosgw', 'ceph-mon', 'ceph-osd'],
  '/usr/bin/redis-server': ['redis-server'],
  '/usr/sbin/haproxy': ['haproxy'],
  '/usr/bin/mcs': ['mono-mcs', 'mono-runtime', 'libmono-system-core4.0-cil', 'libmono-system-net-http4.0-cil'],
  '/usr/bin/faketime': ['faketime'],
  '/usr/sbin/debootstrap': ['debootstrap'],
  '/usr/bin/buildah': ['buildah'],
  '/usr/bin/crun': ['crun'],
}

/** Installs missing packages, which requires root. Exits with an error if it cannot. */
export function requirePrograms(...programs: (keyof typeof PACKAGES)[]): void {
  const missing = programs.filter((program) => !existsSync(program)).flatMap((program) => PACKAGES[program]!)
  if (missing.length > 0) install(missing)
}

function install(packages: string[]) {
  if (process.getuid?.() !== 0) {
    console.error(
      `Missing: ${packages.join(' ')}. Install them (apt-get install ${packages.join(' ')}), or run this as root.`,
    )
    process.exit(1)
  }
  console.log(`Installing ${packages.join(' ')} ...`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  succeed(spawnSync('apt-get', ['update', '-q'], { env: environment, encoding: 'utf8' }))
  succeed(
    spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', ...packages], {
      env: environment,
      encoding: 'utf8',
    }),
  )
}

function succeed({ status, stdout, stderr, error }: SpawnSyncReturns<string>) {
  if (status === 0) return
  console.error(error?.message ?? `${stdout}\n${stderr}`)
  process.exit(1)
}
