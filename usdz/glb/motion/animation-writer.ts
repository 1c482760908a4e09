import { createHash } from 'node:crypto'
import type { Accessor, Animation, Document, Buffer as GltfBuffer, Node } from '@gltf-transform/core'
import type { Path } from '../../motion/animation/track.ts'
import type { Keys } from './stage-time.ts'

export type AnimationWriter = ReturnType<typeof animationWriter>

/** Collects the channels of the animation. Channels with the same times share them. */
export function animationWriter(document: Document, buffer: GltfBuffer) {
  let animation: Animation | undefined
  const inputs = new Map<string, Accessor>()
  let seconds = 0

  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4', array: Float32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const inputOf = (times: Float32Array<ArrayBuffer>): Accessor => {
    const hash = createHash('sha1').update(new Uint8Array(times.buffer)).digest('hex')
    const known = inputs.get(hash) ?? accessor('SCALAR', times)
    inputs.set(hash, known)
    return known
  }
  return {
    /** Adds a channel with linear interpolation. */
    add(node: Node, path: Path, keys: Keys): void {
      const { times, values } = distinctKeys(keys)
      if (times.length === 0) return
      animation ??= document.createAnimation('Animation')
      seconds = Math.max(seconds, times.at(-1)!)
      const type = path === 'rotation' ? 'VEC4' : path === 'weights' ? 'SCALAR' : 'VEC3'
      const sampler = document.createAnimationSampler()
      sampler.setInput(inputOf(times)).setOutput(accessor(type, values)).setInterpolation('LINEAR')
      const channel = document.createAnimationChannel()
      channel.setTargetNode(node).setTargetPath(path).setSampler(sampler)
      animation.addSampler(sampler).addChannel(channel)
    },
    /** How long the animation is, in seconds; undefined without any. */
    duration: (): number | undefined => animation && seconds,
  }
}

/** Of keys whose times are the same single-precision number, the last one counts. */
function distinctKeys({ times, values }: Keys) {
  const floats = Float32Array.from(times)
  const size = values.length / times.length
  const kept = [...floats.keys()].filter((at) => floats[at + 1] === undefined || floats[at + 1]! > floats[at]!)
  if (kept.length === floats.length) return { times: floats, values: Float32Array.from(values) }
  return {
    times: Float32Array.from(kept, (at) => floats[at]!),
    values: Float32Array.from(kept.flatMap((at) => values.slice(at * size, (at + 1) * size))),
  }
}
