export const map = {
  conflicts: (n: number) => (n === 1 ? 'April tag is used twice' : 'April tags are used twice'),
  noDrawing: 'This browser draws no map.',
  noDrawingHow: 'It needs WebGL 2. The list holds the same places.',
}
