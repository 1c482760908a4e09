/** An operation that transformed positions: its accuracy in metres, null if not stated, and the number of positions. */
type UsedOperation = { name: string; accuracy: number | null; points: number }

/** The value of the header `Transformation`: a list of RFC 9651, with parameters. */
export const transformationHeader = (operations: readonly UsedOperation[]): string =>
  operations
    .map(
      ({ name, accuracy, points }) =>
        `"${printable(name)}"${accuracy === null ? '' : `;accuracy=${accuracy}`};points=${points}`,
    )
    .join(', ')

/** A text as the content of a string of RFC 9651. */
export const printable = (text: string): string => text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')
