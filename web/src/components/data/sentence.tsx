import { Fragment, type ReactNode } from 'react'

const MARK = '\u0000'

/**
 * A text with elements, such as links, in the place of its values. The text decides their order.
 * @param text a message that takes a string for each value
 */
export function Sentence<Values extends string[]>({
  text,
  values,
}: {
  text: (...values: Values) => string
  values: { [n in keyof Values]: ReactNode }
}) {
  // Every second part is the number of a value.
  const marked = text(...(values.map((_, n) => MARK + n + MARK) as Values))
  return marked.split(MARK).map((part, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    <Fragment key={n}>{n % 2 === 0 ? part : values[Number(part)]}</Fragment>
  ))
}
