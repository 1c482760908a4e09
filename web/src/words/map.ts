export const map = {
  conflicts: (n: number) => (n === 1 ? 'April tag is used twice' : 'April tags are used twice'),
}
