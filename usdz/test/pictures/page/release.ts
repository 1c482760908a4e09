import { type Material, Mesh, type Object3D, Texture } from 'three'

/** Frees the memory of models that are no longer needed. Materials are kept: compiled shaders are reused. */
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
