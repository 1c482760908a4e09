import { layerOffsetsOf } from '../layers/read-composition.ts'
import { numberOf } from '../layers/read-values.ts'
import type { Notes } from '../report.ts'
import type { PackageLayer } from './usd-prim.ts'

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

const animated = new WeakMap<PackageLayer, boolean>()

/** Whether a layer has samples. */
function isAnimated(layer: PackageLayer): boolean {
  const known = animated.get(layer)
  if (known !== undefined) return known
  const found = layer.stage.prims.some(({ own }) => [...own.values()].some(({ samples }) => samples !== undefined))
  animated.set(layer, found)
  return found
}

/**
 * Notes that the animations of layers play at their own time, if they are moved, or have other time codes than the layer
 * that brings them in: OpenUSD would move or stretch them.
 */
export function noteTime(from: PackageLayer, layers: readonly PackageLayer[], isMoved: boolean, notes: Notes): void {
  if (isMoved || layers.some((layer) => rateOf(layer) !== rateOf(from) && isAnimated(layer))) {
    notes.changed('layer_offset', 'Animations of other layers play at their own time.')
  }
}

/** Whether a layer gives its sublayers another time. Text layers keep a text for it. */
export function movesSublayers({ stage: { crate, metadata } }: PackageLayer): boolean {
  const rep = metadata.get('subLayerOffsets')
  const offsets = layerOffsetsOf(crate, rep)
  return offsets ? offsets.some((value, at) => value !== at % 2) : rep !== undefined
}
