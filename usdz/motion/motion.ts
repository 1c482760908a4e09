import type { Node } from '@gltf-transform/core'
import { tooLarge } from '../errors.ts'
import type { Settings } from '../options/options.ts'
import type { Model } from '../read/read-glb.ts'
import type { Notes } from '../report.ts'
import type { NodeTransforms } from '../scene/node-transforms.ts'
import { arrangeClips, type ClipGroup } from './animation/arrange-clips.ts'
import type { AnimatedValue, Curve } from './animation/curve.ts'
import { errorSensitivity } from './animation/error-sensitivity.ts'
import { type ReductionLimits, reduceKeyframes } from './animation/keyframe-reduction.ts'
import { type Clip, readClips } from './animation/read-clips.ts'
import { joinClips, layOutClips, timeCodesPerSecond } from './animation/timeline.ts'
import type { Path, Track } from './animation/track.ts'
import { normalize } from './math/quaternion.ts'

/** A clip on the timeline of the USDZ, in seconds from its start. `index` is the animation's index in the GLB. */
export type ClipRange = { name: string; index: number; start: number; end: number }

/** The motion of a model: its clips on one timeline, and the curves of each node. */
export type Motion = {
  clips: ClipRange[]
  /** Undefined when the property never changes. */
  curve(node: Node, path: Path): Curve | undefined
  isAnimated(node: Node): boolean
}

/**
 * The largest number of keys, read and generated, of all tracks: far more than models in use have, and a few seconds of
 * work.
 */
const maxKeys = 2_000_000
/** Each becomes an attribute with time samples, or a joint. */
const maxAnimatedProperties = 30_000
/** Tolerances relative to the model's size: for sampling curves, and for dropping keys. */
const bendTolerance = 1e-5
const dropTolerance = 2e-6
const degree = Math.PI / 180

/**
 * Reads the animations and places them on one timeline: in sequence, the selected clip first, or together.
 * @param shown the visible nodes with meshes.
 * @param movers the nodes whose motion moves a visible mesh.
 * @throws ConversionError for animations that cannot be read, and for a selected clip that does not exist.
 */
export function readMotion(
  model: Model,
  settings: Settings,
  transforms: NodeTransforms,
  shown: readonly Node[],
  movers: ReadonlySet<Node>,
  notes: Notes,
): Motion {
  const groups = arrangeClips(effectiveClips(readClips(model, notes), movers, notes), settings, notes)
  const laid = layOutClips(groups.map(durationOf))
  const reach = errorSensitivity(shown, groups, transforms)
  let keys = 0
  const spend = (count: number) => {
    keys += count
    if (keys > maxKeys) throw tooLarge(`The animations have more than ${maxKeys} keys.`)
  }
  for (const { times } of groups.flatMap(({ tracks }) => tracks)) spend(times.length)

  const curves = new Map<Node, Map<Path, Curve>>()
  const byNode = tracksByNode(groups)
  const moved = [...byNode.values()].reduce((total, paths) => total + paths.size, 0)
  if (moved > maxAnimatedProperties)
    throw tooLarge(`The animations move ${moved} properties of nodes; at most ${maxAnimatedProperties} are written.`)
  for (const [node, paths] of byNode) {
    for (const [path, own] of paths) {
      const lever = reach.displacement(node, path)
      const fit: ReductionLimits = {
        curveTolerance: toleranceOf(path, reach.size, lever, bendTolerance),
        dropTolerance: toleranceOf(path, reach.size, lever, dropTolerance),
        maxRotation: (settings.profile !== 'spec' ? 10 : 120) * degree,
        countKeys: spend,
      }
      const curve = joinClips(
        own.map((track) => track && reduceKeyframes(track, fit)),
        laid,
        restOf(node, path, own),
        path === 'rotation',
        `node "${node.getName()}"`,
      )
      if (!curve) continue
      if (path === 'scale' && changesHandedness(curve)) {
        notes.changed('mirrored_in_motion', 'Nodes that an animation mirrors may appear inside out while mirrored.')
      }
      const ofNode = curves.get(node) ?? new Map<Path, Curve>()
      curves.set(node, ofNode.set(path, curve))
    }
  }
  return {
    clips: groups.flatMap(({ clips }, order) => {
      const start = laid[order]!.start / timeCodesPerSecond
      return clips.map((clip) => ({ name: clip.name, index: clip.index, start, end: start + durationOf(clip) }))
    }),
    curve: (node, path) => curves.get(node)?.get(path),
    isAnimated: (node) => (['translation', 'rotation', 'scale'] as const).some((path) => curves.get(node)?.has(path)),
  }
}

/** Tells whether a scale mirrors at some keys and not at others. */
function changesHandedness({ values }: Curve): boolean {
  const signs = new Set<number>()
  for (let at = 0; at < values.length; at += 3) signs.add(Math.sign(values[at]! * values[at + 1]! * values[at + 2]!))
  return signs.has(1) && signs.has(-1)
}

/** Returns a property of a node: its rest value and its curve. */
export const animatedValue = (motion: Motion, node: Node, path: Exclude<Path, 'weights'>): AnimatedValue => ({
  rest: restOf(node, path, []),
  curve: motion.curve(node, path),
})

function restOf(node: Node, path: Path, tracks: readonly (Track | undefined)[]): readonly number[] {
  if (path === 'translation') return node.getTranslation()
  if (path === 'rotation') return normalize(node.getRotation())
  if (path === 'scale') return node.getScale()
  return restWeights(node, Math.max(0, ...tracks.map((track) => track?.size ?? 0)))
}

/** Returns the rest weights of a node's morph targets: the node's, else those of its mesh, else zeros. */
export function restWeights(node: Node, count: number): number[] {
  const own = node.getWeights()
  const given = own.length > 0 ? own : (node.getMesh()?.getWeights() ?? [])
  return Array.from({ length: count }, (_, index) => given[index] ?? 0)
}

/** Drops tracks that move nothing visible, and clips without tracks. */
function effectiveClips(clips: readonly Clip[], movers: ReadonlySet<Node>, notes: Notes): Clip[] {
  const moving = clips.map((clip) => ({ ...clip, tracks: clip.tracks.filter(({ node }) => movers.has(node)) }))
  const kept = moving.filter(({ tracks }) => tracks.length > 0)
  if (kept.length < clips.length) {
    notes.leftOut('animations', 'Animations that move nothing visible are left out.', clips.length - kept.length)
  }
  return kept
}

const durationOf = ({ tracks }: { tracks: readonly Track[] }) =>
  tracks.reduce((length, { times }) => Math.max(length, times.at(-1) ?? 0), 0)

/** Returns a tolerance in the unit of the property. It is limited for properties that hardly move anything. */
function toleranceOf(path: Path, size: number, lever: number, part: number): number {
  const tolerance = lever > 0 ? (size * part) / lever : part
  return path === 'translation' ? tolerance : Math.min(tolerance, part * 1000)
}

/** Returns, for each animated property, its track in each group of clips. */
function tracksByNode(clips: readonly ClipGroup[]): Map<Node, Map<Path, (Track | undefined)[]>> {
  const byNode = new Map<Node, Map<Path, (Track | undefined)[]>>()
  for (const [index, { tracks }] of clips.entries()) {
    for (const track of tracks) {
      const paths = byNode.get(track.node) ?? new Map<Path, (Track | undefined)[]>()
      const own = paths.get(track.path) ?? clips.map(() => undefined)
      own[index] = track
      byNode.set(track.node, paths.set(track.path, own))
    }
  }
  return byNode
}
