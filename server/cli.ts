import { codesSpaces, codesUnlock } from './cli/codes.ts'
import { convert } from './cli/convert.ts'
import { filesCheck, filesMove } from './cli/files.ts'
import { keysList, keysRotate } from './cli/keys.ts'
import { UsageError, withApp } from './cli/operator.ts'
import { userAdd, userPassword, userRoles, userToken } from './cli/users.ts'

const HELP = `cairn: the operator's commands. They read the same CAIRN_* settings as the service and work beside a running one.

  cairn migrate                            bring the database up to date
  cairn user add NAME [--email EMAIL] [--role ROLE] [--password-stdin] [--json]
                                           make an account that signs in at this box
  cairn user passwd NAME [--password-stdin] [--json]
                                           another password; ends every session of the user
  cairn user roles NAME [--role ROLE | --none] [--json]
                                           show the roles of a user (a login, or a user's id), or set those
                                           that are granted; takes effect within a second
  cairn user token --name NAME [--role ROLE] [--json]
                                           make the local user NAME if it is new and print a session token
                                           for it; --role replaces its roles
  cairn keys list [--json]                 the keys that session tokens are signed with
  cairn keys rotate [--now] [--json]       publish the next one; it signs after ten minutes, and nobody is logged
                                           out. --now, for a key that leaked: the present ones end at once, and
                                           everybody signs in again
  cairn codes spaces [--json]              where wrong six-digit codes were sent in 24 hours, and from where
  cairn codes unlock SPACE [--json]        forget the failures of a space (an app's id, or keyless), so that
                                           codes are taken there again
  cairn files check [--hashes] [--json]    files without their bytes, stored objects that nothing knows of, wrong
                                           sizes; --hashes reads every file and finds wrong contents too.
                                           Exit code 1 when something is wrong
  cairn files move [--remove] [--json]     copy the files of the data folder to the S3 that CAIRN_S3_* names; goes
                                           on where it broke off. --remove takes each out of the folder once it is
                                           there: not while a service runs on the folder
  cairn convert IN.glb OUT.usdz [--force] [--json]
                                           convert a model and say what the USDZ shows differently or leaves out;
                                           needs neither settings nor a database. --force replaces a file

--role is admin or ops and may repeat. A password is asked for twice, or read from standard input with
--password-stdin; it is never an argument. With --json the answer is one JSON object.

Exit codes: 0 done, 1 failed, 2 the command was not understood.`

/** By the words that call them. */
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  migrate: () => withApp(async () => console.log('The database is up to date')),
  'user add': userAdd,
  'user passwd': userPassword,
  'user roles': userRoles,
  'user token': userToken,
  'keys list': keysList,
  'keys rotate': keysRotate,
  'codes spaces': codesSpaces,
  'codes unlock': codesUnlock,
  'files check': filesCheck,
  'files move': filesMove,
  convert,
}

async function run(args: string[]): Promise<void> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help')) return console.log(HELP)
  for (const words of [1, 2]) {
    const command = COMMANDS[args.slice(0, words).join(' ')]
    if (command) return command(args.slice(words))
  }
  throw new UsageError(`There is no command "${args.slice(0, 2).join(' ')}"`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  if (error instanceof UsageError) console.error(`\n${HELP}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
