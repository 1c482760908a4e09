import { readFile } from 'node:fs/promises'
import type { ConvertOptions } from '../../usdz/index.ts'

export type Measured = { seconds: number; bytes: number; megabytesOfMemory: number }
/** This project with its options, or its peer. */
export type Converter = ConvertOptions | 'three'

/** One conversion in a new process, which loads only the converter. */
async function measure(converter: Converter, file: string): Promise<Measured> {
  const run = converter === 'three' ? await peer() : await ours(converter)
  // A large file is read into its own buffer: nothing is copied, and its `buffer` is exactly the file.
  const glb = new Uint8Array((await readFile(file)).buffer as ArrayBuffer)
  const start = performance.now()
  const usdz = await run(glb)
  const seconds = (performance.now() - start) / 1000
  return { seconds, bytes: usdz.length, megabytesOfMemory: await maxMegabytes() }
}

/** The peak memory of this process. `resourceUsage` would include its parent's before exec. */
async function maxMegabytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}

async function ours(options: ConvertOptions) {
  const { convert } = await import('../../usdz/index.ts')
  return async (glb: Uint8Array) => (await convert(glb, options)).usdz
}

async function peer() {
  const { threeConverter } = await import('./three-exporter.ts')
  return await threeConverter()
}

if (import.meta.main) {
  const [converter, file] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await measure(JSON.parse(converter!) as Converter, file!)))
}
