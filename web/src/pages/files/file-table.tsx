import type { UserFile } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { formatBytes } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { messages } from '../../messages/index.ts'
import { ConversionBadge } from './conversion-badge.tsx'
import { typeOf } from './file-facts.tsx'
import { FileIcon } from './file-icon.tsx'
import classes from './files.module.css'
import { isConvertible } from './model-types.ts'

const { list, columns, noSession } = messages.files

export function FileTable({ files, isEverybodys }: { files: UserFile[]; isEverybodys: boolean }) {
  return (
    <Table label={list}>
      <thead>
        <tr>
          <th>{columns.name}</th>
          <th className="wide-only">{columns.type}</th>
          <th>{columns.conversion}</th>
          {isEverybodys && <th className="wide-only">{columns.by}</th>}
          <th className="num wide-only">{columns.bytes}</th>
          <th className="wide-only">{columns.sent}</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.fileId}>
            <td className={classes.name}>
              <span className="row">
                <FileIcon file={file} />
                <Link data-row className="truncate" to="/files/$fileId" params={{ fileId: String(file.fileId) }}>
                  {file.fileName}
                </Link>
              </span>
              <span className="narrow-only faint small">
                {formatBytes(file.bytes)} · <RelativeTime at={file.createdAt} />
              </span>
            </td>
            <td className="wide-only dim">{typeOf(file)}</td>
            <td>
              {isConvertible(file) ? (
                <ConversionBadge conversion={file.conversion} />
              ) : (
                <span className="faint">–</span>
              )}
            </td>
            {isEverybodys && (
              <td className="wide-only">{file.userId === null ? noSession : <code>{file.userId}</code>}</td>
            )}
            <td className="num wide-only">{formatBytes(file.bytes)}</td>
            <td className={`wide-only dim ${classes.sent}`}>
              <RelativeTime at={file.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
