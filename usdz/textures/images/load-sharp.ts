let loaded: Promise<typeof import('sharp').default> | undefined

/**
 * The image library with the decoders of pictures alone: it also reads SVG, PDF and more, with which a small file keeps
 * native code, that nobody can stop, busy for minutes. What is closed is closed in the whole process, so GIF stays open
 * for others in it; a texture's kind is told by its bytes before any decoder. Loaded at first use: most models need no
 * pixel touched, and the library is a large one.
 */
export function loadSharp() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    return sharp
  })
  return loaded
}
