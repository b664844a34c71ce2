import { translation } from '../catalogue'
import type en from '../en/first-steps'

export default translation<typeof en>({
  title: 'O seu primeiro formulário',
  about: 'O servidor está pronto. Três maneiras de começar; pode seguir as outras mais tarde.',
  example: 'Ver um exemplo',
  exampleAbout:
    'Um projeto com um formulário, algumas centenas de registos, fotografias e lugares, para experimentar tudo. Apague-o no fim.',
  exampleMake: 'Criar o exemplo',
  exampleMaking:
    'O servidor está a criar o exemplo: um formulário, os registos e as fotografias. Demora alguns segundos.',
  exampleSince: { one: '{n} segundo até agora', many: '{n} segundos até agora', other: '{n} segundos até agora' },
  exampleDone: {
    one: 'O exemplo está pronto, com {n} registo.',
    many: 'O exemplo está pronto, com {n} registos.',
    other: 'O exemplo está pronto, com {n} registos.',
  },
  table: 'Ver a tabela',
  map: 'Ver o mapa',
  charts: 'Ver os gráficos',
  project: 'Abrir o projeto',
  upload: 'Trazer um formulário',
  uploadAbout: 'Tem um XLSForm: um ficheiro Excel com perguntas. Vai para o seu primeiro projeto.',
  place: '{sheet}, linha {row}',
  file: 'Escolher o XLSForm',
  fileHint: '.xlsx, .xls ou .csv',
  uploaded: '{title} está pronto',
  refused: 'O formulário tem erros. Nada foi guardado; corrija-os e escolha de novo o ficheiro.',
  empty: 'Começar com um projeto vazio',
  emptyAbout: 'Um projeto reúne formulários, as respostas e as pessoas que trabalham com ambos.',
  name: 'Nome do projeto',
  make: 'Criar o projeto',
  later: 'Saltar isto',
})
