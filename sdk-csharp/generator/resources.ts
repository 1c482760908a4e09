import type { CsType, modelsOf } from './models.ts'
import { camel, docs, memberOf, type OpenApi, type Operation, type Parameter, pascal, type Schema } from './schema.ts'

type TypeOf = ReturnType<typeof modelsOf>['typeOf']

/** The tus protocol has headers and bodies of its own: the hand-written resumable upload speaks it. */
const BY_HAND = /^\/api\/upload\/tus/
/** The connection sets these itself. */
const SET_BY_CONNECTION = ['idempotency-key', 'last-event-id', 'lastEventId']
const STOP = 'CallOptions call = null, CancellationToken cancellationToken = default(CancellationToken)'

/** One class for each tag, with a method for each of its operations. */
export function resourcesOf(document: OpenApi, typeOf: TypeOf): Map<string, string> {
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    if (BY_HAND.test(path)) continue
    for (const [method, operation] of Object.entries(methods)) {
      const tag = pascal(operation.tags?.[0] ?? 'Service')
      byTag.set(tag, [...(byTag.get(tag) ?? []), methodOf(path, method.toUpperCase(), operation, document, typeOf)])
    }
  }
  return new Map(
    [...byTag].map(([tag, members]) => [
      tag,
      `    /// <summary>The operations of ${tag}. Get it from <see cref="CairnClient"/>.</summary>
    public sealed class ${tag}Resource
    {
        private readonly Connection connection;

        internal ${tag}Resource(Connection connection) { this.connection = connection; }

${members.join('\n')}    }
`,
    ]),
  )
}

function methodOf(path: string, method: string, operation: Operation, document: OpenApi, typeOf: TypeOf): string {
  const name = pascal(operation.operationId)
  const all = operation.parameters ?? []
  const parameters = all.filter((parameter) => !SET_BY_CONNECTION.includes(parameter.name))
  const { argument: bodyArgument, line: bodyLine } = bodyOf(operation, typeOf, name)
  const withType = parameters.map((parameter) => ({ parameter, type: typeOf(numeric(parameter.schema), name) }))
  const needed = withType.filter(({ parameter }) => parameter.required)
  const optional = withType.filter(({ parameter }) => !parameter.required)
  const write = ({ parameter }: { parameter: Parameter }) =>
    `            request.${pascal(parameter.in)}("${parameter.name}", ${camel(parameter.name)});\n`
  const isRepeatable = !/^(POST|PATCH)$/.test(method) || all.some((parameter) => parameter.name === 'idempotency-key')
  // A conditional write that was carried out would refuse its own repeat.
  const conditions = parameters
    .filter((parameter) => /^if-/.test(parameter.name))
    .map(({ name: given }) => camel(given))
  const repeatable = [
    String(isRepeatable),
    ...(method === 'PUT' ? conditions.map((given) => `${given} == null`) : []),
  ].join(' && ')
  const { type, returns, rest, call } = answerOf(operation, typeOf, name)
  const given = [
    ...needed.map((item) => `${item.type.name} ${camel(item.parameter.name)}`),
    ...(bodyArgument ? [bodyArgument] : []),
    ...optional.map((item) => `${item.type.name}${item.type.isValue ? '?' : ''} ${camel(item.parameter.name)} = null`),
  ]
  const about = [operation.summary, operation.description]
    .filter(Boolean)
    .map((text) => text!.replace(/\.?$/, '.'))
    .join(' ')
  const comments = [
    docs(about, '        '),
    ...withType.map(({ parameter }) =>
      docs(
        parameter.description ?? parameter.name,
        '        ',
        'param',
        ` name="${camel(parameter.name).replace('@', '')}"`,
      ),
    ),
  ].join('')
  const setup = `            var request = new Request("${method}", "${path}", ${repeatable});
${withType.map(write).join('')}${bodyLine}`
  const main = `${comments}        public ${type} ${name}${rest === STOP ? 'Async' : ''}(${[...given, rest].join(', ')})
        {
${setup}            return ${call};
        }
`
  const item = pageItemOf(operation, document, typeOf, name)
  if (!item) return main
  const fixed = withType.filter(({ parameter }) => parameter.name !== 'cursor')
  const names = given.filter((text) => !text.startsWith('string cursor '))
  return `${main}
${docs(`${operation.summary}: all pages, fetched as they are read.`, '        ')}        public Pages<${item.type.name}> ${name}(${[...names, 'CallOptions call = null'].join(', ')})
        {
            return new Pages<${item.type.name}>(connection, call, () =>
            {
                var request = new Request("${method}", "${path}", true);
${fixed.map((each) => `    ${write(each)}`).join('')}                return request;
            }, page => ${returns.read('page')}${item.member});
        }
`
}

/** Numbers in a query are strings with a pattern. As numbers they do not depend on the caller's culture. */
const numeric = (schema: Schema): Schema =>
  schema.type === 'string' && /^\^\[\+-\]\?\(\\d\+/.test(schema.pattern ?? '') ? { type: 'number' } : schema

function bodyOf({ requestBody }: Operation, typeOf: TypeOf, name: string) {
  if (!requestBody) return { argument: '', line: '' }
  const json = requestBody.content['application/json']
  if (!json) return { argument: 'FormBody form', line: '            request.SetForm(form);\n' }
  const type = typeOf(json.schema, `${name}Body`)
  return {
    argument: `${type.name} body${requestBody.required ? '' : ' = null'}`,
    line: `            if (body != null) request.SetJson(${type.write('body')});\n`,
  }
}

const successOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content

function answerOf(operation: Operation, typeOf: TypeOf, name: string) {
  const content = successOf(operation) ?? {}
  // A page for people beside JSON is not for programs.
  const kinds = Object.keys(content).filter((kind, _at, all) => kind !== 'text/html' || all.length === 1)
  const returns = typeOf(content['application/json']?.schema ?? Object.values(content)[0]?.schema, `${name}Answer`)
  const end = 'request, call, cancellationToken'
  if (kinds.includes('text/event-stream'))
    return {
      type: 'EventStream',
      returns,
      rest: 'FollowOptions follow = null',
      call: 'new EventStream(connection, request, follow)',
    }
  if (kinds.length === 0) return { type: 'Task', returns, rest: STOP, call: `connection.RunAsync(${end})` }
  if (!kinds.every((kind) => /json/.test(kind) || (kind === 'text/csv' && kinds.length === 2)))
    return { type: 'Task<CairnFile>', returns, rest: STOP, call: `connection.FileAsync(${end})` }
  return {
    type: `Task<${returns.name}>`,
    returns,
    rest: STOP,
    call: `connection.JsonAsync(request, answer => ${returns.read('answer')}, call, cancellationToken)`,
  }
}

/** The items of a list with a cursor: the answer itself or its only list. */
function pageItemOf(
  operation: Operation,
  document: OpenApi,
  typeOf: TypeOf,
  name: string,
): { type: CsType; member: string } | undefined {
  if (!operation.parameters?.some((parameter) => parameter.name === 'cursor')) return undefined
  const schema = resolve(successOf(operation)?.['application/json']?.schema, document)
  if (schema?.type === 'array') return { type: typeOf(schema.items, `${name}AnswerItem`), member: '' }
  const lists = Object.entries(schema?.properties ?? {}).filter(([, property]) => property.type === 'array')
  if (lists.length !== 1) return undefined
  const [key] = lists[0]!
  const root = rootName(operation, name)
  const list = typeOf(lists[0]![1], `${root}${pascal(key)}`)
  const item = /^List<(.*)>$/.exec(list.name)?.[1]
  return item ? { type: { ...list, name: item }, member: `.${memberOf(key, root)}` } : undefined
}

const rootName = (operation: Operation, name: string) =>
  successOf(operation)?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? `${name}Answer`

const resolve = (schema: Schema | undefined, document: OpenApi): Schema | undefined =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema
