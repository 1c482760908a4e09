import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import { formatNumber } from '../../../components/data/format.ts'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { asSentence } from '../sentence.ts'
import type { FindingLine } from './finding-lines.ts'
import classes from './findings.module.css'

const texts = messages.imports.findings

/** Errors or warnings with their position, value and explanation. */
export const FindingTable = ({ lines, isBad }: { lines: FindingLine[]; isBad: boolean }) => (
  <Table label={texts.title}>
    <thead>
      <tr>
        <th className="num">{texts.row}</th>
        <th className="num wide-only">{texts.line}</th>
        <th>{texts.name}</th>
        <th className="wide-only">{texts.column}</th>
        <th className="num">{texts.found}</th>
      </tr>
    </thead>
    {lines.map((line, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row may have the same fault twice
      <tbody key={i} className={classes.group}>
        <tr>
          <td className="num faint">{line.row === null ? texts.whole : formatNumber(line.row)}</td>
          <td className="num faint wide-only">{line.line === null ? '–' : formatNumber(line.line)}</td>
          <td className="strong">{line.title ?? '–'}</td>
          <td className="mono wide-only">{line.column ?? '–'}</td>
          <td className="num">
            {line.value !== null && (
              <span className={isBad ? classes.wrong : 'mono'}>
                {isBad && <span className="visually-hidden">{texts.wrong}</span>}
                {line.value === '' ? texts.empty : line.value}
              </span>
            )}
          </td>
        </tr>
        <tr>
          <td />
          <td className="wide-only" />
          <td colSpan={3}>
            <div className={isBad ? classes.why : classes.warned}>
              {isBad ? <IconAlertCircle size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}
              <span>
                <span className="strong">{texts.codes[line.code] ?? line.code}.</span>{' '}
                <span className="dim">{asSentence(line.message)}</span>
              </span>
            </div>
          </td>
        </tr>
      </tbody>
    ))}
  </Table>
)
