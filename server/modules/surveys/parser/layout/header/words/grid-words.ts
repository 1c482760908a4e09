/** Names of grids that people put beside an axis: `X_L93`, `e_lv95`, `NZTM E`, `X (RD)`. */
const GRIDS =
  'utm(?: ?\\d{1,2})?|mga(?:94|2020)?|nztm(?:2000)?|osgb(?:36)?|bng|itm|spcs?|lv ?95|lv ?03|rd(?: ?new)?|l(?:ambert)?[ -]?93|l(?:ambert)?[ -]?(?:ii|2)[ -]?(?:e|[eé]tendu)|lambert[ -]?(?:72|2008)|cc ?\\d\\d|gk ?\\d?|sweref(?: ?99)?(?: ?tm)?|wg ?\\d\\d|htrs ?96(?:/?tm)?|eov|(?:puwg|pl)[ -]?(?:1992|2000)|tm35fin'
const AXES =
  'koord\\.? [ne]|northings?|eastings?|north|east|nordwert|ostwert|nord|ost|est|norte|este|hochwert|rechtswert|[nexy]'
const BESIDE = '[\\s_.-]{1,3}'

const alone = new RegExp(`^(?:${GRIDS})$`, 'i')
const beside = new RegExp(`^(?:(${AXES})${BESIDE}(${GRIDS})|(${GRIDS})${BESIDE}(${AXES}))$`, 'i')

/** The axis and the grid of a header such as `e_lv95` or `MGA94 E`, without units and brackets. */
export function axisInGrid(header: string): { axis: string; grid: string } | undefined {
  const [, first, after, before, last] = beside.exec(header.trim()) ?? []
  const [axis, grid] = [first ?? last, after ?? before]
  return axis === undefined || grid === undefined ? undefined : { axis, grid }
}

/** Whether a text is the name of a grid alone, such as `RD`. */
export const isGridName = (text: string): boolean => alone.test(text)
