import { inMedia } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { ListParams } from '../lists/index.js'
import { FilterQuery } from '../selection/index.js'

const { query, search, sort, raw } = ListParams.properties

/** What chooses records, and how cells are written: the columns of a log are what they are. */
export const AuditsParams = Type.Object({
  ...FilterQuery,
  query,
  search,
  sort,
  raw,
})

export const AuditsTable = inMedia(
  Type.Unknown({
    description: 'The logs, one line for each of theirs.',
    examples: [
      'instance ID,event,node,start,end,latitude,longitude,accuracy,old-value,new-value,user,change-reason\nuuid:5b2cc313-fc09-437e-8149-fcd32f695d41,question,/data/name,1719900000000,1719900012500,,,,,,,\n',
    ],
  }),
  'text/csv',
)

const text = Type.Union([Type.String(), Type.Null()])
const number = Type.Union([Type.Number(), Type.Null()])

const AuditLineView = Type.Object(
  { event: text, node: text, start: number, end: number },
  {
    additionalProperties: text,
    description:
      'A line of the log. `start` and `end` are milliseconds since 1970 by the clock of the phone; other columns as they stand there.',
  },
)

const AuditNodeView = Type.Object({
  event: Type.String({ description: '`question` or `group questions`.' }),
  node: Type.String({ description: 'Path of the question.' }),
  seconds: Type.Number({ description: 'For how long it was open, in all visits.' }),
  visits: Type.Integer(),
})

export const AuditView = Type.Object(
  {
    _id: Type.Integer(),
    _audit_seconds: Type.Union([Type.Number(), Type.Null()], {
      description:
        'At questions and groups; overlaps count once, and what a clock that jumped made negative not at all.',
    }),
    _audit_questions: Type.Union([Type.Integer(), Type.Null()], { description: 'That were opened.' }),
    _audit_edits: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Answers changed after the form was opened again; null where the form keeps no track of changes.',
    }),
    is_whole: Type.Boolean({
      description:
        'false: the log is longer than what is read of it here, or a line is longer than what is kept of one. The table has all lines, the file itself all of them whole.',
    }),
    nodes: Type.Array(AuditNodeView),
    lines: Type.Array(AuditLineView),
  },
  {
    examples: [
      {
        _id: 4503,
        _audit_seconds: 12.5,
        _audit_questions: 1,
        _audit_edits: null,
        is_whole: true,
        nodes: [{ event: 'question', node: '/data/name', seconds: 12.5, visits: 1 }],
        lines: [{ event: 'question', node: '/data/name', start: 1719900000000, end: 1719900012500 }],
      },
    ],
  },
)
