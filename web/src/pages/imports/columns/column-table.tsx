import { NativeSelect } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import classes from '../import.module.css'
import { assignRole, CHOICES, type Detected } from './header.ts'

const texts = messages.imports.columns

type Fields = NonNullable<Detected['fields']>
type Props = {
  /** The column names in the file. */
  names: string[]
  fields: Fields
  cells: string[][]
  onFields: (fields: Fields) => void
  isDisabled: boolean
}

/** The columns of the file with their names, fields and first values. */
export const ColumnTable = ({ names, fields, cells, onFields, isDisabled }: Props) => (
  <Table label={texts.title}>
    <thead>
      <tr>
        <th>{texts.column}</th>
        <th className="wide-only" aria-hidden />
        <th>{texts.takenFor}</th>
        <th>{texts.holds}</th>
      </tr>
    </thead>
    <tbody>
      {fields.map(({ role }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
        <tr key={index} className={role === null ? classes.unused : undefined}>
          <td className={`mono ${classes.name}`}>{names[index]}</td>
          <td className="wide-only faint">
            <IconArrowRight size={14} aria-hidden />
          </td>
          <td className={classes.role}>
            <NativeSelect
              aria-label={texts.roleOf(names[index]!)}
              value={role ?? ''}
              disabled={isDisabled}
              onChange={({ currentTarget: { value } }) => onFields(assignRole(fields, index, value || null))}
              data={[
                { value: '', label: texts.unused },
                ...[...new Set([...CHOICES, ...(role ? [role] : [])])].map((value) => ({
                  value,
                  label: texts.roles[value] ?? value,
                })),
              ]}
            />
          </td>
          <td className={`mono faint ${classes.holds}`}>
            {cells.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the first rows as they stand
              <span key={i} className={i > 0 ? 'wide-only' : undefined}>
                {row[index] || '–'}
              </span>
            ))}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)
