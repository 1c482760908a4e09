import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'
import { ROOT } from '../package/folders.ts'

/**
 * `npm run test:install [-- <test file> …]`: makes a minimal Debian and the Debian package, then installs, runs, upgrades
 * and removes the forms of a release. Needs root on Debian, a mirror of Debian and the npm registry.
 */
async function run(chosen: string[]): Promise<number> {
  if (process.getuid?.() !== 0) {
    console.error('npm run test:install changes accounts, mounts and root folders: run it as root')
    return 1
  }
  requirePrograms('/usr/sbin/debootstrap', '/usr/bin/buildah', '/usr/bin/crun')
  // Not below TMPDIR: that may be memory, and this is several hundred megabytes.
  const folder = mkdtempSync('/var/tmp/cairn-install-')
  chmodSync(folder, 0o755)
  try {
    await Promise.all([
      program('debootstrap', '--variant=minbase', '--include=systemd', 'bookworm', join(folder, 'debian')),
      makePackage(),
    ])
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...(chosen.length > 0 ? chosen : ['release/install'])],
      { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CAIRN_TEST_INSTALL: folder } },
    )
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makePackage(): Promise<void> {
  await program(process.execPath, 'release/package/build.ts')
  await program(process.execPath, 'release/debian/build.ts')
}

/** Runs a program to its end. @throws its output if it fails */
async function program(name: string, ...words: string[]): Promise<void> {
  const child = spawn(name, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) throw new Error(`${name} ${words.join(' ')} failed: ${output}`)
}

process.exitCode = await run(process.argv.slice(2))
