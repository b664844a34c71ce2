import { translation } from '../catalogue'
import type en from '../en/figures'

export default translation<typeof en>({
  answer: 'Resposta',
  count: 'Quantidade',
  share: 'Percentagem',
  records: 'Registos',
  noAnswer: 'Sem resposta',
  otherGroups: 'Outros',
  sum: 'Soma',
  mean: 'Média',
  median: 'Mediana',
  least: 'Mínimo',
  most: 'Máximo',
  empty: 'Ainda não há respostas.',
  allDifferent: {
    one: '{n} resposta.',
    many: '{n} respostas, todas diferentes.',
    other: '{n} respostas, todas diferentes.',
  },
  unanswered: { one: '{n} sem resposta.', many: '{n} sem resposta.', other: '{n} sem resposta.' },
  several: 'Era possível escolher várias opções, por isso as percentagens podem somar mais de 100%.',
  week: 'Cada barra é uma semana.',
  month: 'Cada barra é um mês.',
  year: 'Cada barra é um ano.',
  noNumbers: {
    one: '{n} resposta não é um número.',
    many: '{n} respostas não são números.',
    other: '{n} respostas não são números.',
  },
  noDates: {
    one: '{n} data não existe no calendário.',
    many: '{n} datas não existem no calendário.',
    other: '{n} datas não existem no calendário.',
  },
  left: {
    one: '{n} valor menos frequente não é mostrado.',
    many: '{n} valores menos frequentes não são mostrados.',
    other: '{n} valores menos frequentes não são mostrados.',
  },
  places: { one: 'Mapa com {shown} lugar', many: 'Mapa com {shown} lugares', other: 'Mapa com {shown} lugares' },
  table: 'Mostrar os números',
  tableOf: 'Números: {title}',
  spoken: '{title}. Barras: {values}. As setas do teclado leem cada barra.',
})
