// SPDX-License-Identifier: GPL-2.0-only
// Elements from values. Text is only ever set as text.

export function byId(id) {
  return document.getElementById(id);
}

// properties of the element; attributes for names with "-" and for role; children: nodes, text.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role' || name === 'scope') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function link(text, onclick, title = '') {
  return make('button', {type: 'button', className: 'link', textContent: text, onclick, title});
}

/*
 * A table that its headings sort. columns: {title, isNumber, of(row) -> what it is sorted by,
 * show(row) -> text or node}. rows are shown up to most.
 */
export function makeTable(columns, rows, {caption, most = 500, sortBy = -1} = {}) {
  let column = sortBy;
  let isDown = true;
  const body = make('tbody');
  const headings = columns.map(({title, isNumber, of}, i) => {
    const heading = make('th', {scope: 'col', className: isNumber ? 'number' : ''});
    if (of) {
      heading.append(make('button', {type: 'button', textContent: title, onclick: () => {
        isDown = column === i ? !isDown : !!isNumber;
        column = i;
        fill();
      }}));
    } else {
      heading.append(title);
    }
    return heading;
  });
  const fill = () => {
    const sorted = [...rows];
    if (column >= 0) {
      const {of} = columns[column];
      const compare = (a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0);
      sorted.sort((a, b) => (isDown ? compare(b, a) : compare(a, b)));
    }
    headings.forEach((heading, i) => {
      heading.setAttribute('aria-sort', i !== column ? 'none' : isDown ? 'descending' : 'ascending');
    });
    body.replaceChildren(...sorted.slice(0, most).map((row) => make('tr', {}, ...columns.map(
      ({show, isNumber, isLong}) => make('td', {className: isNumber ? 'number' : isLong ? 'long' : ''}, show(row))))));
  };
  fill();
  const table = make('table', {}, make('caption', {className: 'hidden', textContent: caption || ''}),
    make('thead', {}, make('tr', {}, ...headings)), body);
  if (rows.length <= most) return table;
  return make('div', {}, table, make('p', {className: 'empty', textContent: `and ${rows.length - most} more`}));
}
