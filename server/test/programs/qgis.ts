import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Service } from '../service.ts'

const run = promisify(execFile)

/** Runs a script of this folder with QGIS, with its settings and caches in the test's folder. @returns the JSON it prints */
export async function runQgis(service: Service, script: string, args: string[]): Promise<unknown> {
  const home = `${service.folder}/qgis`
  const path = fileURLToPath(new URL(script, import.meta.url))
  const { stdout } = await run('/usr/bin/python3', [path, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_RUNTIME_DIR: home,
      QT_QPA_PLATFORM: 'offscreen',
    },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}
