import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { detectTags, type GrayImage } from '../../server/modules/tags/detector/detector.ts'
import { createPhotoReader } from '../../server/modules/tags/process/photo-reader.ts'
import { drawScene } from '../../server/test/content/tags/tag-scene.ts'
import { peakDuring } from '../measure/process-memory.ts'
import type { Comparison } from '../record/comparison.ts'

/** Twelve megapixels, as phones take them. */
const [WIDTH, HEIGHT] = [4000, 3000]
const TURNS = 3
const NATIVE = fileURLToPath(new URL('../../server/test/programs/native-april-tags.py', import.meta.url))

type Cost = { seconds: number; megabytes: number; tags: number }

/**
 * A photo of 12 megapixels with 60 tags: the detector beside Debian's libapriltag on the same pixels, in CPU seconds, the best of
 * three; and the JPEG as the service reads it, in a process of its own that has read one before. Without `python3-apriltag` the first is left out.
 */
export async function benchTags(): Promise<Comparison[]> {
  const { image } = drawScene({ width: WIDTH, height: HEIGHT, tags: sixty() })
  const native = nativeCost(image)
  if (!native) console.log('  python3-apriltag is not installed: no comparison with libapriltag')
  const [ours, whole] = [detectorCost(image), await readerCost(image)]
  return [
    ...(native
      ? [
          {
            name: 'tags in 12 megapixels: CPU seconds of libapriltag / of the detector',
            ...{ ours, peer: native },
            ratio: native.seconds / ours.seconds,
            target: 'at least 0.7',
          },
        ]
      : []),
    {
      name: 'photo of 12 megapixels, read in a process of its own: 5 s / its seconds',
      ...{ ours: whole, peer: { seconds: 5, megabytes: 500 } },
      ratio: 5 / whole.seconds,
      target: 'at least 1; at most 500 MB',
    },
  ]
}

const sixty = () =>
  Array.from({ length: 60 }, (_, at) => ({
    id: at,
    at: [220 + (at % 10) * 390, 250 + Math.floor(at / 10) * 490] as [number, number],
    side: 40 + at * 3,
    turn: at * 37,
    tilt: (at * 11) % 50,
    tiltTowards: at * 71,
  }))

function detectorCost(image: GrayImage): Omit<Cost, 'megabytes'> {
  const turns = Array.from({ length: TURNS }, () => {
    const before = process.cpuUsage()
    const tags = detectTags(image).length
    const { user, system } = process.cpuUsage(before)
    return { seconds: (user + system) / 1e6, tags }
  })
  return turns.reduce((a, b) => (a.seconds < b.seconds ? a : b))
}

function nativeCost({ width, height, pixels }: GrayImage): Cost | undefined {
  const turns = Array.from({ length: TURNS }, () => {
    const run = spawnSync('/usr/bin/python3', [NATIVE, String(width), String(height)], { input: pixels })
    if (run.status !== 0) return undefined
    return { ...JSON.parse(String(run.stderr)), tags: JSON.parse(String(run.stdout)).length } as Cost
  })
  return turns.reduce((a, b) => (a && b && a.seconds < b.seconds ? a : b))
}

async function readerCost({
  width,
  height,
  pixels,
}: GrayImage): Promise<Cost & { coldSeconds: number; fileMegabytes: number }> {
  const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 92 })
    .toBuffer()
  async function* whole() {
    yield bytes
  }
  const reader = createPhotoReader()
  const read = () => reader.read({ bytes: whole(), size: bytes.length }, AbortSignal.timeout(120_000))
  // The first photo waits until the process has started and has compiled the detector.
  const coldAt = performance.now()
  await read()
  const startedAt = performance.now()
  const coldSeconds = (startedAt - coldAt) / 1000
  let [seconds, tags] = [0, 0]
  const peak = await peakDuring(process.pid, async () => {
    const facts = await read()
    ;[seconds, tags] = [(performance.now() - startedAt) / 1000, facts.tags.length]
  })
  // An idle worker process does not keep this one alive.
  const alive = setInterval(() => {}, 1000)
  await reader.close()
  clearInterval(alive)
  return { seconds, coldSeconds, tags, megabytes: Math.round(peak.started), fileMegabytes: bytes.length / 1e6 }
}
