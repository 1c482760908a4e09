import type { LayerTime } from '../layers/read-composition.ts'
import { numberOf } from '../layers/read-values.ts'
import type { Notes } from '../report.ts'
import type { PackageLayer } from './usd-prim.ts'

export const ownTime: LayerTime = { offset: 0, scale: 1 }

/**
 * How many time codes a layer has a second. Source: UsdStage of OpenUSD: without `timeCodesPerSecond` that of
 * `framesPerSecond` counts, and 24 without both.
 */
export function timeCodesPerSecond(number: (name: string) => number | undefined): number {
  const given = [number('timeCodesPerSecond'), number('framesPerSecond')]
  return given.find((value) => value !== undefined && value > 0 && Number.isFinite(value)) ?? 24
}

const rateOf = ({ stage: { crate, metadata } }: PackageLayer): number =>
  timeCodesPerSecond((name) => numberOf(crate, metadata.get(name)))

/** The time of what `inner` places in a layer, which `outer` places. */
export const timeWithin = (outer: LayerTime, inner: LayerTime): LayerTime => ({
  offset: outer.offset + outer.scale * inner.offset,
  scale: outer.scale * inner.scale,
})

/**
 * The time of a layer in one that brings it in: moved and stretched as that says, and so that a second stays a second.
 * Source: "Layer Offset" in the glossary of OpenUSD.
 */
export function timeOfLayer(from: PackageLayer, layer: PackageLayer, given: LayerTime, notes: Notes): LayerTime {
  const time = { offset: given.offset, scale: (given.scale * rateOf(from)) / rateOf(layer) }
  if (Number.isFinite(time.offset) && Number.isFinite(time.scale) && time.scale !== 0) return time
  notes.changed('layer_offset', 'Animations of layers without a usable offset and scale play at their own time.')
  return ownTime
}

/** Times of a layer as those of the stage. */
export const timesInStage = (times: readonly number[], { offset, scale }: LayerTime): number[] =>
  times.map((time) => offset + scale * time)
