import { readFile } from 'node:fs/promises'
import type { Profile } from '../../usdz/index.ts'

export type Measured = { seconds: number; bytes: number; megabytesOfMemory: number }
/** This project with a profile, or its peer. */
export type Converter = Profile | 'three'

/** One conversion in a fresh process, which loads nothing that the converter does not. */
async function measure(converter: Converter, file: string): Promise<Measured> {
  const run = converter === 'three' ? await peer() : await ours(converter)
  // A large file is read into a buffer of its own: nothing is copied, and its `buffer` holds the file alone.
  const glb = new Uint8Array((await readFile(file)).buffer as ArrayBuffer)
  const start = performance.now()
  const usdz = await run(glb)
  const seconds = (performance.now() - start) / 1000
  return { seconds, bytes: usdz.length, megabytesOfMemory: await maxMegabytes() }
}

/** The most memory this process ever had. `resourceUsage` would count its parent's, from before the program began. */
async function maxMegabytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}

async function ours(profile: Profile) {
  const { convert } = await import('../../usdz/index.ts')
  return async (glb: Uint8Array) => (await convert(glb, { profile })).usdz
}

async function peer() {
  const { threeConverter } = await import('./three-exporter.ts')
  return await threeConverter()
}

if (import.meta.main) {
  const [converter, file] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await measure(converter as Converter, file!)))
}
