let loaded: Promise<typeof import('sharp').default> | undefined
let hostCloses = false

/**
 * For a host that reads images itself and has closed the loaders it does not need: then nothing is closed here. That
 * setting of the image library is the whole process's, so that closing some in a thread would cut off the host's own
 * reading. To be called in each thread that converts, before it does; the loaders of JPEG, PNG, WebP and HEIF have to
 * be open by then. What is decoded here is one of these by its first bytes, whatever else the host leaves open.
 */
export function leaveImageLoadersToHost(): void {
  hostCloses = true
}

/**
 * The image library with the four decoders a model's textures need, and no other: it also reads SVG, PDF and more, with
 * which a small file keeps native code, that nobody can stop, busy for minutes. Loaded at first use: most models need
 * no pixel touched, and the library is a large one.
 */
export function imageLibrary() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    if (hostCloses) return sharp
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    return sharp
  })
  return loaded
}
