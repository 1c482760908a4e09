import { execFileSync } from 'node:child_process'
import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, TARGET } from '../../release/package/folders.ts'
import { newFolder, startProcess } from '../../server/test/process.ts'
import type { Comparison } from '../record/comparison.ts'

const ROUNDS = 3

type Round = { install: number; first: number; warm: number; cloneFirst: number; cloneWarm: number }

/**
 * The npm package from its tarball, in an empty folder: its size, and the seconds from `npm install` to the first
 * /readyz and of a later start. The peer is a clone whose packages are installed, started in the same rounds. Needs the
 * registry. Medians of three.
 */
export async function benchInstall(): Promise<Comparison[]> {
  execFileSync(process.execPath, [join(ROOT, 'release/package/build.ts')], { stdio: ['ignore', 'ignore', 'inherit'] })
  const work = await newFolder()
  try {
    const [packed] = JSON.parse(npm(['pack', TARGET, '--json', '--pack-destination', work], work))
    const tarball = join(work, packed.filename)
    const rounds: Round[] = []
    let size = { packages: 0, megabytesOnDisk: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const folder = await newFolder()
      try {
        const { install, program } = await installed(tarball, folder)
        size = await sizeOf(folder)
        const [first, warm] = await starts([process.execPath, program])
        const [cloneFirst, cloneWarm] = await starts()
        rounds.push({ install, first, warm, cloneFirst, cloneWarm })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
    return compared(rounds, { packedMegabytes: packed.size / 1e6, ...size })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function compared(rounds: Round[], size: object): Comparison[] {
  const median = (of: (round: Round) => number) => rounds.map(of).toSorted((a, b) => a - b)[ROUNDS >> 1]!
  const row = (name: string, ours: number, peer: number, target: string, more = {}): Comparison => ({
    name,
    ours: { seconds: ours, ...more },
    peer: { seconds: peer },
    ratio: ours / peer,
    target,
  })
  const cloneFirst = median((round) => round.cloneFirst)
  const install = median((round) => round.install)
  const whole = median((round) => round.install + round.first)
  const more = { install, ...size }
  return [
    row('npm install to /readyz / first start of a clone', whole, cloneFirst, '≤ 20 s', more),
    row(
      'start of the package, first ever / of a clone',
      median((round) => round.first),
      cloneFirst,
      'at most 1',
    ),
    row(
      'start of the package, warm / of a clone',
      median((r) => r.warm),
      median((r) => r.cloneWarm),
      'at most 1',
    ),
  ]
}

async function installed(tarball: string, folder: string) {
  const began = performance.now()
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], folder)
  const install = (performance.now() - began) / 1000
  return { install, program: join(folder, 'node_modules/.bin/cairn-server') }
}

/** Starts on an empty data folder until /readyz returns 200, then again on the same. @returns the seconds of both */
async function starts(command?: string[]): Promise<[number, number]> {
  const folder = await newFolder()
  const start = async () => {
    const settings = { CAIRN_DRAIN_SECONDS: '0', NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const began = performance.now()
    const service = await startProcess(folder, { settings, ...(command && { command }) })
    const { ok } = await fetch(`${service.url}/readyz`)
    const seconds = (performance.now() - began) / 1000
    service.child.kill('SIGTERM')
    await service.ended
    if (!ok) throw new Error('The service is not ready')
    return seconds
  }
  try {
    return [await start(), await start()]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What npm installed: packages, and megabytes on disk in blocks of the file system. */
async function sizeOf(folder: string) {
  const { packages } = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  let blocks = 0
  for (const { name, parentPath } of await readdir(folder, { recursive: true, withFileTypes: true }))
    blocks += (await lstat(join(parentPath, name))).blocks
  const outer = Object.keys(packages).filter((place) => place.lastIndexOf('node_modules/') === 0)
  return { packages: outer.length, megabytesOnDisk: (blocks * 512) / 2 ** 20 }
}

const npm = (args: string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })
