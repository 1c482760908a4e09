import type { ResolvedAnchor } from '../options/placement.ts'
import { attribute, type Prim, relationship } from './prim.ts'

const imageName = 'AnchorImage'

/** The file of an anchor's image in the package. */
export const anchorImagePath = ({ kind }: { kind: 'jpeg' | 'png' }) =>
  `textures/anchor.${kind === 'png' ? 'png' : 'jpg'}`

/** Anchors the default prim in the real world. Source: Apple, "USD schemas for AR", Preliminary_AnchoringAPI. */
export function withAnchor(root: Prim, anchor: ResolvedAnchor | undefined): Prim {
  if (!anchor) return root
  const type = attribute('preliminary:anchoring:type', 'token', anchor.type, { uniform: true })
  const anchored = { ...root, apiSchemas: [...(root.apiSchemas ?? []), 'Preliminary_AnchoringAPI'] }
  if (anchor.type === 'face') return { ...anchored, properties: [...root.properties, type] }
  if (anchor.type === 'plane') {
    const alignment = attribute('preliminary:planeAnchoring:alignment', 'token', anchor.alignment, { uniform: true })
    return { ...anchored, properties: [...root.properties, type, alignment] }
  }
  const image: Prim = {
    name: imageName,
    typeName: 'Preliminary_ReferenceImage',
    properties: [
      attribute('image', 'asset', anchorImagePath(anchor), { uniform: true }),
      // In centimetres.
      attribute('physicalWidth', 'double', anchor.width * 100, { uniform: true }),
    ],
    children: [],
  }
  const reference = relationship('preliminary:imageAnchoring:referenceImage', `/${root.name}/${imageName}`)
  return { ...anchored, properties: [...root.properties, type, reference], children: [image, ...root.children] }
}
