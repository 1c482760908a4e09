import { numberOf, textOf } from '../../layers/read-values.ts'
import type { Stage, StageProperty } from '../../layers/stage.ts'
import type { CheckedProperty, Subject, Target } from './subject.ts'

/** The prims of one layer that refers to no other, with those of all variants. */
export function layerSubject(stage: Stage): Subject {
  const { crate, metadata, prims, tops } = stage
  const { paths } = crate
  const targetAt = (number: number, isProperty: boolean): Target => ({
    get path() {
      return paths.text(number)
    },
    prim: stage.primAt(isProperty ? paths.parent(number) : number),
    isProperty: isProperty && stage.propertyAt(number) !== undefined,
  })
  // All properties of this subject are those of the layer.
  const own = (property: CheckedProperty) => property as StageProperty
  return {
    prims,
    distinct: prims,
    tops,
    text: (name) => textOf(crate, metadata.get(name)),
    number: (name) => numberOf(crate, metadata.get(name)),
    targetsOf: (property) => own(property).targets.map((number) => targetAt(number, false)),
    connectionsOf: (property) => own(property).connections.map((number) => targetAt(number, true)),
  }
}
