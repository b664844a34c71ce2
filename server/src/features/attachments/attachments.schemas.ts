import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

/** `owner/attachments/form/name`: an owner of 254, an id of 255 and a name of 100 characters. */
const storedName = Type.Optional(
  Type.String({
    maxLength: 700,
    'x-verbatim': true,
    description: 'The stored name, exactly as the record shows it.',
    examples: ['bob/attachments/12_visit/1335783522563.jpg'],
  }),
)

const size = Type.Optional(
  Type.String({
    maxLength: 20,
    description: 'A picture in place of the image: small (240 pixels), medium (640) or large (1280).',
    examples: ['small'],
  }),
)

export const FileParams = Type.Object({
  id: Type.String({ maxLength: 20, description: 'Id of the file.', examples: ['5'] }),
})

export const FileQuery = Type.Object({ filename: storedName, suffix: size })

export const MediaParams = Type.Object({
  id: Type.String({
    maxLength: 40,
    description: 'Id of the file; with the ending of its name, such as `5.jpg`, its bytes.',
    examples: ['5', '5.jpg'],
  }),
})

const filters = {
  xform: Type.Optional(Type.String({ maxLength: 20, description: 'Files of this form.', examples: ['12'] })),
  instance: Type.Optional(Type.String({ maxLength: 20, description: 'Files of this record.', examples: ['9'] })),
  dataview: Type.Optional(Type.String({ maxLength: 20, description: 'Files of this dataview.', examples: ['3'] })),
  type: Type.Optional(
    Type.String({ maxLength: 20, description: 'image, audio, video or document.', examples: ['image'] }),
  ),
}

export const MediaQuery = Type.Object({ ...filters, ...PageQuery })

export const MediaCountQuery = Type.Object(filters)

export const MediaView = Type.Object(
  {
    url: Type.String({ format: 'uri' }),
    filename: Type.String(),
    mimetype: Type.String(),
    field_xpath: Type.Union([Type.String(), Type.Null()], { description: 'Key of the question in the record.' }),
    id: Type.Integer(),
    xform: Type.Integer(),
    instance: Type.Integer(),
    download_url: Type.String({ format: 'uri' }),
    small_download_url: Type.String({ description: 'Empty where there are no pictures.' }),
    medium_download_url: Type.String({ description: 'Empty where there are no pictures.' }),
  },
  {
    examples: [
      {
        url: 'https://example.org/api/v1/media/5',
        filename: 'bob/attachments/12_visit/1335783522563.jpg',
        mimetype: 'image/jpeg',
        field_xpath: 'photo',
        id: 5,
        xform: 12,
        instance: 9,
        download_url: 'https://example.org/api/v1/files/5?filename=bob/attachments/12_visit/1335783522563.jpg',
        small_download_url:
          'https://example.org/api/v1/files/5?filename=bob/attachments/12_visit/1335783522563.jpg&suffix=small',
        medium_download_url:
          'https://example.org/api/v1/files/5?filename=bob/attachments/12_visit/1335783522563.jpg&suffix=medium',
      },
    ],
  },
)

export const MediaCount = Type.Object({ count: Type.Integer() }, { examples: [{ count: 3 }] })
