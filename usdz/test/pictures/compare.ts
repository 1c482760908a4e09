import { type ConversionReport, convert, type Profile } from '../../index.ts'
import type { PictureStudio, Shot, Side } from './browser.ts'
import { type Picture, similarity } from './ssim.ts'

/** One moment from one side: the source, the package completed, and how alike they are. */
export type Comparison = { label: string; pictures: Record<Side, Picture>; score?: number; loaderScore?: number }
export type Compared = {
  name: string
  report: ConversionReport
  comparisons: Comparison[]
  /** The least alike pair; undefined when neither side shows anything. */
  worst?: number
  /** The same with USDLoader alone as the reader of the package. */
  loaderWorst?: number
}

export type CompareOptions = { profile?: Profile; size?: number; views?: readonly number[]; moments?: number }

const sides: Side[] = ['glb', 'loader', 'usd']

/**
 * Converts a model and draws source and package from several sides, at rest or at moments of each animation.
 * @throws ConversionError when the model is refused.
 */
export async function compare(
  studio: PictureStudio,
  name: string,
  glb: Uint8Array,
  { profile = 'quicklook', size = 256, views = [0, 1, 2, 3, 4, 5], moments = 3 }: CompareOptions = {},
): Promise<Compared> {
  const { usdz, report } = await convert(glb, { profile })
  const clips = await studio.open(glb, usdz)
  const comparisons: Comparison[] = []
  for (const { label, ...moment } of momentsOf(clips, report, moments)) {
    for (const view of views) {
      const shot: Shot = { ...moment, view, size }
      const pictures = {} as Record<Side, Picture>
      for (const side of sides) pictures[side] = await studio.draw(side, shot)
      const score = similarity(pictures.glb, pictures.usd)
      const loaderScore = similarity(pictures.glb, pictures.loader)
      comparisons.push({
        label: `${label}view ${view}`,
        pictures,
        ...(score !== undefined && { score }),
        ...(loaderScore !== undefined && { loaderScore }),
      })
    }
  }
  return {
    name,
    report,
    comparisons,
    ...least(
      'worst',
      comparisons.map(({ score }) => score),
    ),
    ...least(
      'loaderWorst',
      comparisons.map(({ loaderScore }) => loaderScore),
    ),
  }
}

function least<K extends string>(key: K, scores: readonly (number | undefined)[]): { [key in K]?: number } {
  const known = scores.filter((score) => score !== undefined)
  return (known.length > 0 ? { [key]: Math.min(...known) } : {}) as { [key in K]?: number }
}

/** Where the clips are on the package's timeline, in seconds. */
type Timeline = { clips: { name: string; start: number; end: number }[] }
type Moment = { label: string; clip?: number; seconds: number; timeCode: number }

/** At rest when nothing moves; else a few moments inside each clip, and where they are on the package's timeline. */
function momentsOf(
  clips: readonly { name: string; duration: number }[],
  { clips: ranges = [] }: ConversionReport & Partial<Timeline>,
  count: number,
): Moment[] {
  const moments = ranges.slice(0, clips.length).flatMap(({ start }, clip) =>
    Array.from({ length: count }, (_, k) => {
      const seconds = (clips[clip]!.duration * (k + 0.5)) / count
      return { label: `clip ${clip} ${seconds.toFixed(2)} s `, clip, seconds, timeCode: (start + seconds) * 60 }
    }),
  )
  return moments.length > 0 ? moments : [{ label: '', seconds: 0, timeCode: 0 }]
}
