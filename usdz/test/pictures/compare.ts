import { type ConversionReport, convert, type Profile } from '../../index.ts'
import type { PictureStudio, Shot } from './browser.ts'
import { type Picture, similarity } from './ssim.ts'

/** One moment from one side: the source, the completed package, and their similarity. */
export type Comparison = {
  label: string
  pictures: Record<'glb' | 'usd', Picture> & { loader?: Picture }
  score?: number
  loaderScore?: number
}
export type Compared = {
  name: string
  usdz: Uint8Array
  report: ConversionReport
  comparisons: Comparison[]
  /** The least similar pair; undefined if neither side shows anything. */
  worst?: number
  /** The same with USDLoader alone as the reader of the package. */
  loaderWorst?: number
}

export type CompareOptions = {
  profile?: Profile
  size?: number
  views?: readonly number[]
  /** Number of moments of each animation. */
  moments?: number
  /** Also draws the package by USDLoader alone. */
  loader?: boolean
}

/**
 * Converts a model and draws source and package from several sides, at rest or at moments of each animation.
 * @throws ConversionError if the model is refused.
 */
export async function compare(
  studio: PictureStudio,
  name: string,
  glb: Uint8Array,
  { profile = 'quicklook', size = 256, views = [0, 1, 2, 3, 4, 5], moments = 3, loader = false }: CompareOptions = {},
): Promise<Compared> {
  const { usdz, report } = await convert(glb, { profile })
  const clips = await studio.open(glb, usdz)
  const comparisons: Comparison[] = []
  for (const { label, ...moment } of momentsOf(clips, report, moments)) {
    for (const view of views) {
      const shot: Shot = { ...moment, view, size }
      const pictures: Comparison['pictures'] = {
        glb: await studio.draw('glb', shot),
        usd: await studio.draw('usd', shot),
        ...(loader && { loader: await studio.draw('loader', shot) }),
      }
      const score = similarity(pictures.glb, pictures.usd)
      const loaderScore = pictures.loader && similarity(pictures.glb, pictures.loader)
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
    usdz,
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

type Moment = { label: string; clips?: number[]; seconds: number; timeCode: number }

/** At rest if nothing moves; otherwise some moments of each clip, with their time on the package's timeline. */
function momentsOf(
  clips: readonly { name: string; duration: number }[],
  { clips: ranges }: ConversionReport,
  count: number,
): Moment[] {
  const starts = [...new Set(ranges.map(({ start }) => start))]
  const moments = starts.flatMap((start) => {
    // Clips with the same start play together.
    const together = ranges.filter((range) => range.start === start).map(({ index }) => index)
    const duration = Math.max(...together.map((index) => clips[index]!.duration))
    return Array.from({ length: count }, (_, k) => {
      const seconds = (duration * (k + 0.5)) / count
      const label = `clip ${together.join(' ')} ${seconds.toFixed(2)} s `
      return { label, clips: together, seconds, timeCode: (start + seconds) * 60 }
    })
  })
  return moments.length > 0 ? moments : [{ label: '', seconds: 0, timeCode: 0 }]
}
