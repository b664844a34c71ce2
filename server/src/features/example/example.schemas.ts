import { Type } from '../../platform/schema/index.js'

export const ExampleView = Type.Object(
  {
    project: Type.String({ format: 'uri' }),
    projectid: Type.Integer(),
    form: Type.String({ format: 'uri' }),
    formid: Type.Integer(),
    records: Type.Integer({ description: 'That the example has when it is complete.' }),
  },
  {
    examples: [
      {
        project: 'http://127.0.0.1:8080/api/v1/projects/1',
        projectid: 1,
        form: 'http://127.0.0.1:8080/api/v1/forms/1',
        formid: 1,
        records: 240,
      },
    ],
  },
)
