/**
 * 3D Gaussian splats (Kerbl et al. 2023), one entry for each. Scales are standard deviations, opacities 0 to 1, and
 * orientations are unit quaternions x y z w.
 */
export type Splats = {
  positions: Float32Array
  scales: Float32Array
  orientations: Float32Array
  opacities: Float32Array
  /** Of the spherical harmonics: 0 to 3. */
  degree: number
  /** Red, green and blue of each of the (degree + 1)² coefficients of a splat, by ascending degree. */
  coefficients: Float32Array
  /** How renderers sort them; without it by their depth. */
  sorting?: 'cameraDistance'
}
