let loaded: Promise<typeof import('sharp').default> | undefined

/**
 * Loads sharp with only the image decoders enabled. Others (SVG, PDF …) let a small file occupy native code for
 * minutes. Blocking applies to the whole process, so GIF stays enabled for other users; textures are identified by
 * their bytes first. Loaded on first use: it is large and most models do not need it.
 */
export function loadSharp() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    return sharp
  })
  return loaded
}
