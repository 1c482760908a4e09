import type { FenceEvent } from '@cairn/sdk'
import { messages } from '../../../../messages/index.ts'

const texts = messages.game.fences.events.doubts

/** Why an event at a fence may be wrong; nothing if there is no doubt. */
export const Doubts = ({ doubts }: Pick<FenceEvent, 'doubts'>) =>
  doubts.length > 0 && <div className="small dim">{doubts.map((doubt) => texts[doubt]).join('; ')}</div>
