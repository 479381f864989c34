//! A list that can forget its oldest items. Those that stay keep their places, so that a run with
//! a million jobs, of which a few are under way, needs room for a few.

use crate::WHOLE;
use std::ops::{Index, IndexMut};

/// Items by place, from the oldest that is not forgotten.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Window<T> {
    /// How many are forgotten: the place of the first that is not.
    first: u32,
    items: Vec<T>,
}

impl<T: Clone> Clone for Window<T> {
    fn clone(&self) -> Self {
        Self { first: self.first, items: self.items.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.first = other.first;
        self.items.clone_from(&other.items);
    }
}

impl<T> Default for Window<T> {
    fn default() -> Self {
        Self { first: 0, items: Vec::new() }
    }
}

impl<T> Window<T> {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { first: 0, items: Vec::with_capacity(count) }
    }

    /// How many there have been: the place of the next.
    pub(crate) fn len(&self) -> u32 {
        self.first + u32::try_from(self.items.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where an item is. The page's build forgets nothing.
    #[inline]
    fn index_of(&self, place: u32) -> usize {
        if WHOLE { place.wrapping_sub(self.first) as usize } else { place as usize }
    }

    /// How many are forgotten.
    pub(crate) fn forgotten(&self) -> u32 {
        self.first
    }

    /// Whether another item would need more memory.
    pub(crate) fn is_full(&self) -> bool {
        self.items.len() == self.items.capacity()
    }

    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    pub(crate) fn get(&self, place: u32) -> Option<&T> {
        self.items.get(self.index_of(place))
    }

    /// Those that are not forgotten.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// The same with their places.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (u32, &T)> {
        (self.first..).zip(&self.items)
    }

    /// Forgets the oldest items, as long as they are not wanted.
    pub(crate) fn forget_until(&mut self, is_wanted: impl Fn(u32, &T) -> bool) {
        let first = self.placed().position(|(place, item)| is_wanted(place, item));
        let count = first.unwrap_or(self.items.len());
        self.items.drain(..count);
        self.first += u32::try_from(count).unwrap_or(u32::MAX);
    }
}

impl<T: Clone> Window<T> {
    /// As long as this, with `item` in the new places.
    #[cfg_attr(not(feature = "page"), inline(always))]
    pub(crate) fn grow(&mut self, len: u32, item: T) {
        let count = len.saturating_sub(self.first) as usize;
        // Mostly by one. (`resize` is a call out of the module in wasm, for four bytes.)
        while self.items.len() < count {
            self.items.push(item.clone());
        }
    }
}

impl<T> Index<u32> for Window<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: u32) -> &T {
        &self.items[self.index_of(place)]
    }
}

impl<T> IndexMut<u32> for Window<T> {
    #[inline]
    fn index_mut(&mut self, place: u32) -> &mut T {
        let index = self.index_of(place);
        &mut self.items[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_keeps_its_place() {
        let mut window = Window::with_capacity(4);
        for item in 0..4 {
            window.push(item * 10);
        }
        assert!(window.is_full());
        window.forget_until(|_, item| *item >= 20);
        assert_eq!((window.forgotten(), window.len(), window.is_full()), (2, 4, false));
        assert_eq!((window.get(1), window.get(2), window.get(4)), (None, Some(&20), None));
        window[3] = 31;
        window.push(40);
        assert_eq!(window[4], 40);
        assert_eq!(window.items(), [20, 31, 40]);
        assert!(window.placed().eq([(2, &20), (3, &31), (4, &40)]));
        window.grow(4, 0);
        assert_eq!(window.len(), 5);
        window.grow(7, 1);
        assert_eq!(window.items(), [20, 31, 40, 1, 1]);
        window.forget_until(|place, _| place > 9);
        assert!(window.items().is_empty() && !window.is_empty());
        assert_eq!((window.forgotten(), window.len()), (7, 7));
    }
}
