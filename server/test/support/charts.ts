// What the tests of this room share: a form with every kind of field that a chart can show, and people who answered.

export const peopleSurvey = `
| survey  |
|         | type                   | name      | label     |
|         | text                   | name      | Name      |
|         | select_one gender      | gender    | Gender    |
|         | integer                | age       | Age       |
|         | select_one yn          | pizza_fan | Pizza fan |
|         | select_multiple fruits | fruits    | Fruits    |
|         | date                   | born      | Born      |
|         | begin group            | more      | More      |
|         | decimal                | income    | Income    |
|         | end group              |           |           |
|         | begin repeat           | kids      | Children  |
|         | text                   | kname     | Child     |
|         | select_one yn          | school    | At school |
|         | end repeat             |           |           |
| choices |
|         | list_name | name   | label  |
|         | gender    | f      | Female |
|         | gender    | m      | Male   |
|         | yn        | y      | Yes    |
|         | yn        | n      | No     |
|         | fruits    | orange | Orange |
|         | fruits    | mango  | Mango  |
`

const kids = [
  { 'kids/kname': 'Kim', 'kids/school': 'y' },
  { 'kids/kname': 'Kim', 'kids/school': 'n' },
  { 'kids/school': 'y' },
]

export const people = [
  { answers: { name: 'Ann', gender: 'f', age: '21', pizza_fan: 'y', fruits: 'orange mango', 'more/income': '100.5' } },
  { answers: { name: 'Bob', gender: 'm', age: '21', pizza_fan: 'n', fruits: 'mango', born: '2000-01-02' } },
  { answers: { name: 'Cem', gender: 'm', age: '9', pizza_fan: 'n', born: '2001-05-06', 'more/income': '200' } },
  { answers: { name: 'Dee', gender: 'f', age: '28', fruits: 'durian', born: '2001-05-06', 'more/income': 'much' } },
  { answers: { pizza_fan: 'y', kids } },
]
