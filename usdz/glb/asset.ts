import type { Document } from '@gltf-transform/core'
import type { ComposedStage } from '../stage/compose-stage.ts'

/** Writes what a layer says about itself: its copyright, and texts such as author and licence, as extras. */
export function writeAsset({ metadata }: ComposedStage, document: Document): void {
  const asset = document.getRoot().getAsset()
  const about: Record<string, string> = {}
  for (const [name, text] of metadata.texts('customLayerData')) {
    if (name === 'copyright') asset.copyright = text
    else if (name !== 'creator' && name !== 'gltfGenerator') about[name] = text
  }
  if (Object.keys(about).length > 0) asset.extras = about
}
