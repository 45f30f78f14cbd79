import { describe, expect, it } from '@jest/globals';
import { nameTitle, nameWords, shortLabel } from './name-words.js';

describe('nameWords', () => {
  it.each([
    ['findAll', ['find', 'All']],
    ['find_all-now.again', ['find', 'all', 'now', 'again']],
    ['parseHTMLBody', ['parse', 'HTML', 'Body']],
    ['listV2', ['list', 'V2']],
    ['TasksController.get3d', ['Tasks', 'Controller', 'get3', 'd']],
    ['größeÄndern', ['größe', 'Ändern']],
    ['7', ['7']],
    ['_', []],
  ])('of %s', (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });
});

describe('shortLabel', () => {
  it.each([
    ['TasksController.list', 'Tasks.list'],
    ['Tasks.list', 'Tasks.list'],
    ['Controller.list', 'Controller.list'],
    ['TasksController', 'TasksController'],
  ])('of %s', (label, short) => {
    expect(shortLabel(label)).toBe(short);
  });
});

describe('nameTitle', () => {
  it.each([
    ['TasksController.findAll', 'Tasks find all'],
    ['tasks_find_all', 'Tasks find all'],
    ['exportPDFNow', 'Export PDF now'],
    ['_', '_'],
  ])('of %s', (name, title) => {
    expect(nameTitle(name)).toBe(title);
  });
});
