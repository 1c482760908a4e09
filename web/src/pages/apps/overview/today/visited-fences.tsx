import type { AppActivity } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../../components/data/format.ts'
import { Table } from '../../../../components/data/table.tsx'
import { messages } from '../../../../messages/index.ts'
import classes from './today.module.css'

const texts = messages.app.today

/** The fences with most check-ins of the last 24 hours. */
export function VisitedFences({ appId, visited }: { appId: string; visited: AppActivity['fences']['visited'] }) {
  return (
    <div className={classes.part}>
      <h3>
        {texts.fences} <span>{texts.boardsText}</span>
      </h3>
      <Table label={texts.fences}>
        <thead>
          <tr>
            <th>{texts.fence}</th>
            <th className="num">{texts.visitors}</th>
            <th className="num">{texts.visits}</th>
          </tr>
        </thead>
        <tbody>
          {visited.map(({ id, name, players, checkIns }) => (
            <tr key={id}>
              <td>
                <Link to="/apps/$appId/fences" params={{ appId }}>
                  {name}
                </Link>
              </td>
              <td className="num">{formatNumber(players)}</td>
              <td className="num strong">{formatNumber(checkIns)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
