import { docs, memberOf, type OpenApi, pascal, type Schema } from './schema.ts'

/** A C# type: how it is written, and how values are read from and written to `Json`. */
export type CsType = {
  name: string
  isValue: boolean
  read: (json: string) => string
  write: (value: string) => string
}

const value = (name: string, accessor: string): CsType => ({
  name,
  isValue: true,
  read: (json) => `${json}.${accessor}()`,
  write: (text) => `Json.Of(${text})`,
})
const STRING: CsType = { ...value('string', 'AsString'), isValue: false }
const ANY: CsType = { name: 'Json', isValue: false, read: (json) => json, write: (text) => text }

/** The models of a document. `typeOf` returns the type of a schema and adds a class for each object in it. */
export function modelsOf(document: OpenApi) {
  const schemas = document.components.schemas
  const classes = new Map<string, string>()

  const isObject = (schema: Schema) => schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0

  function typeOf(schema: Schema | undefined, hint: string): CsType {
    if (!schema) return ANY
    if (schema.$ref) {
      const name = schema.$ref.split('/').at(-1)!
      const target = schemas[name]!
      return isObject(target) ? modelOf(name, target) : typeOf(target, name)
    }
    const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
    if (choices) return choices.length === 1 ? typeOf(choices[0], hint) : oneOf(choices, hint)
    if (Array.isArray(schema.type)) {
      const types = schema.type.filter((type) => type !== 'null')
      return types.length === 1 ? typeOf({ ...schema, type: types[0]! }, hint) : ANY
    }
    if (isObject(schema)) return modelOf(hint, schema)
    switch (schema.type) {
      case 'string':
        return schema.format === 'date-time'
          ? value('DateTimeOffset', 'AsTime')
          : schema.format === 'binary'
            ? ANY
            : STRING
      case 'integer':
        return value('long', 'AsLong')
      case 'number':
        return value('double', 'AsDouble')
      case 'boolean':
        return value('bool', 'AsBool')
      case 'array':
        return listOf(typeOf(schema.items, singular(hint)))
      case 'object':
        return typeof schema.additionalProperties === 'object'
          ? mapOf(typeOf(schema.additionalProperties, `${hint}Value`))
          : ANY
      default:
        return ANY
    }
  }

  /** One class with the members of all choices, if they are objects. Which of them are there depends on the choice. */
  function oneOf(choices: Schema[], hint: string): CsType {
    const objects = choices.map((choice) => (choice.$ref ? schemas[choice.$ref.split('/').at(-1)!]! : choice))
    if (!objects.every(isObject)) return ANY
    const properties: Record<string, Schema> = {}
    for (const [key, schema] of objects.flatMap((object) => Object.entries(object.properties!))) {
      const known = properties[key]
      const isSame = known === undefined || typeName(known) === typeName(schema)
      properties[key] = isSame ? { ...schema, ...known } : {}
    }
    return modelOf(hint, {
      type: 'object',
      properties,
      ...(objects[0]!.description ? { description: objects[0]!.description } : {}),
    })
  }

  function modelOf(name: string, schema: Schema): CsType {
    if (!classes.has(name)) {
      classes.set(name, '')
      classes.set(name, classOf(name, schema))
    }
    return { name, isValue: false, read: (json) => `${name}.From(${json})`, write: (text) => `${text}.ToJson()` }
  }

  function classOf(name: string, { description, properties = {}, required = [] }: Schema): string {
    const members = Object.entries(properties).map(([key, schema]) => {
      return {
        key,
        schema,
        member: memberOf(key, name),
        type: typeOf(schema, name + pascal(key)),
        isRequired: required.includes(key),
        mayBeNull: !required.includes(key) || isNullable(schema),
      }
    })
    const fields = members.map(({ schema, member, type, isRequired, mayBeNull }) => {
      const text = `${described(schema, schemas)}${isRequired ? '' : ' Optional.'}`
      const annotation = mayBeNull && !type.isValue ? '[MaybeNull] ' : ''
      return `${docs(text, '        ')}        ${annotation}public ${type.name}${type.isValue ? '?' : ''} ${member} { get; set; }\n`
    })
    const reads = members.map(
      ({ key, member, type }) =>
        `                    case "${key}": model.${member} = pair.Value.IsNull ? null : ${type.isValue ? `(${type.name}?)` : ''}${type.read('pair.Value')}; break;\n`,
    )
    const writes = members.map(
      ({ key, member, type }) =>
        `            if (${member} != null) json.Set("${key}", ${type.write(type.isValue ? `${member}.Value` : member)});\n`,
    )
    return `${docs(description ?? `The record ${name}.`, '    ')}    public sealed class ${name} : JsonModel
    {
${fields.join('')}
        /// <summary>Reads the record from JSON. Returns null for JSON's null.</summary>
        public static ${name} From(Json source)
        {
            if (source == null || source.IsNull) return null;
            var model = new ${name}();
            foreach (var pair in source.Members)
            {
                switch (pair.Key)
                {
${reads.join('')}                    default: model.Extra[pair.Key] = pair.Value; break;
                }
            }
            return model;
        }

        /// <inheritdoc/>
        public override Json ToJson()
        {
            var json = Json.NewObject();
${writes.join('')}            return WithExtra(json);
        }
    }
`
  }

  for (const [name, schema] of Object.entries(schemas)) if (isObject(schema)) modelOf(name, schema)
  return { typeOf, classes }
}

const listOf = (item: CsType): CsType => collection(`List<${item.name}>`, 'List', item)
const mapOf = (item: CsType): CsType => collection(`Dictionary<string, ${item.name}>`, 'Map', item)

function collection(name: string, kind: 'List' | 'Map', item: CsType): CsType {
  // Nested functions need arguments of different names.
  const argument = `item${/^(List|Dictionary)</.test(item.name) ? (item.name.match(/</g)?.length ?? '') : ''}`
  return {
    name,
    isValue: false,
    read: (json) => `${json}.As${kind}(${argument} => ${item.read(argument)})`,
    write: (text) => `Json.${kind}Of(${text}, ${argument} => ${item.write(argument)})`,
  }
}

const isNullable = ({ type, anyOf, oneOf }: Schema): boolean =>
  [type].flat().includes('null') || [...(anyOf ?? []), ...(oneOf ?? [])].some(isNullable)

/** What makes two schemas the same type. */
const typeName = ({ $ref, type, format, items, properties, additionalProperties, anyOf, oneOf }: Schema) =>
  JSON.stringify([$ref, type, format, items, properties, additionalProperties, anyOf, oneOf])

const singular = (name: string) => (/[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`)

/** The description with the values that the schema lists. */
function described(schema: Schema, schemas: Record<string, Schema>): string {
  const target = schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema
  const values = target.enum?.map((item) => String(item)).join(', ')
  const text = schema.description ?? target.description ?? (values ? '' : 'As named.')
  const end = text === '' || /[.!?]$/.test(text) ? text : `${text}.`
  return `${end}${values ? ` One of: ${values}.` : ''}`.trim()
}
