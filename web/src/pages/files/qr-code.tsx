import { encode } from 'uqr'
import classes from './file.module.css'

/** Quiet zone in modules (ISO/IEC 18004 requires four). */
const QUIET = 4
/** Pixels per module in the PNG. */
const PIXELS = 12

const codeOf = (text: string) => encode(text, { border: QUIET, ecc: 'M' })

/** A QR code, black on white in every theme. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { data, size } = codeOf(text)
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={name}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={classes.qrGround} />
      <path d={path} className={classes.qrDark} />
    </svg>
  )
}

/** The QR code as a PNG. */
export async function qrCodePng(text: string): Promise<Blob> {
  const { data, size } = codeOf(text)
  const canvas = new OffscreenCanvas(size * PIXELS, size * PIXELS)
  const pen = canvas.getContext('2d')!
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = '#000'
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries()) if (isDark) pen.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS)
  return canvas.convertToBlob({ type: 'image/png' })
}
