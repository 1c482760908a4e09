let loaded: Promise<typeof import('sharp').default> | undefined

/**
 * The image library with the four decoders a model's textures need, and no other: it also reads SVG, PDF and more, with
 * which a small file keeps native code, that nobody can stop, busy for minutes. Loaded at first use: most models need
 * no pixel touched, and the library is a large one.
 */
export function imageLibrary() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    return sharp
  })
  return loaded
}
