import { type Material, Mesh, type Object3D, Texture } from 'three'

/** Frees the memory of models that are not drawn again. Their materials stay: compiled shaders serve the next models. */
export function releaseTextures(objects: readonly Object3D[]): void {
  for (const object of objects) {
    object.traverse((part) => {
      if (!(part instanceof Mesh)) return
      part.geometry.dispose()
      for (const material of [part.material as Material | Material[]].flat()) {
        for (const value of Object.values(material)) if (value instanceof Texture) value.dispose()
      }
    })
  }
}
